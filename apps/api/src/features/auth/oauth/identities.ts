/** The providers that are linked to one's account: listed, linked and unlinked. */
import type { Identity, ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import type { Actor } from '#kernel/actor.ts';
import { notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import { endSessionsOf, lockOwner, type AuthDeps } from '../sessions/member-sessions.ts';
import { providerLabels, type Voucher } from './provider-clients.ts';
import type { Errand } from './provider-journeys.ts';
import { insertIdentity, noteLinked } from './provider-sign-in.ts';
import * as providers from './provider-store.ts';
import { lastWayIn, type Owner } from '../second-factor/second-factor.ts';
import { listPasskeys } from '../second-factor/second-factor-store.ts';
import { postSecurityChange } from '../security-emails.ts';

export async function listIdentities(
  { db }: Pick<AuthDeps, 'db'>,
  { id }: Actor,
): Promise<Identity[]> {
  const rows = await providers.listIdentities(db, id);
  return rows.map(({ provider, email, created_at, last_used_at }) => ({
    provider: provider as ProviderName,
    email,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }));
}

/**
 * Adds the provider to the account whose owner set out for it in this session; null when it did.
 * @throws {Refusal} 401 when the session ended while the provider was asked
 */
export async function link(
  deps: AuthDeps,
  { actor, origin, session }: Owner,
  provider: ProviderName,
  { userId }: Errand,
  voucher: Voucher,
): Promise<ProviderTrouble | null> {
  if (actor.id !== userId) return 'expired';
  return transaction(deps.db, async (tx) => {
    await providers.lockIdentity(tx, provider, voucher.subject);
    const user = await lockOwner(tx, session);
    const known = await providers.findIdentity(tx, provider, voucher.subject);
    if (known?.user_id === user.id) return null;
    if (known || !(await insertIdentity(deps, tx, user, { provider, voucher })))
      return 'already_linked';
    await endSessionsOf(tx, user.id, { except: session.id });
    await noteLinked(deps, tx, user, origin, provider);
    return null;
  });
}

/** @throws {Refusal} 404; 409 `last_way_in` */
export async function unlink(
  deps: AuthDeps,
  { actor, origin, session }: Owner,
  provider: ProviderName,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, session);
    if (!(await providers.deleteIdentity(tx, user.id, provider))) throw notFound();
    const others = await providers.listIdentities(tx, user.id);
    const passkeys = await listPasskeys(tx, user.id);
    if (user.password_hash === null && others.length === 0 && passkeys.length === 0) {
      throw lastWayIn();
    }
    await endSessionsOf(tx, user.id, { except: session.id });
    const change = { kind: 'provider-unlinked', provider: providerLabels[provider] } as const;
    await postSecurityChange(deps, tx, user, change);
    await record(tx, {
      actor,
      origin,
      action: 'auth.provider_unlinked',
      subject_kind: 'user',
      subject_id: user.id,
      data: { provider },
    });
  });
}
