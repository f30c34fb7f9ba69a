/** The providers linked to the user's account: listed, linked and unlinked. */
import type { Identity, ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import type { Actor } from '#kernel/actor.ts';
import { notFound } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import { requireWayIn } from '../second-factor/second-factor.ts';
import { emailSecurityChange } from '../security-emails.ts';
import type { MemberContext, RequestContext } from '../sessions/request-context.ts';
import { endSessionsOf, lockSessionUser, type AuthDeps } from '../sessions/sessions.ts';
import { recordUserEvent } from '../users.ts';
import { providerLabels, type ProviderProfile } from './clients.ts';
import type { Flow } from './flows.ts';
import { insertIdentity, reportLinked } from './sign-in.ts';
import * as store from './store.ts';

export async function listIdentities(
  { db }: Pick<AuthDeps, 'db'>,
  { id }: Actor,
): Promise<Identity[]> {
  const rows = await store.listIdentities(db, id);
  return rows.map(({ provider, email, created_at, last_used_at }) => ({
    provider: provider as ProviderName,
    email,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }));
}

/**
 * Links the identity to the account whose user started the flow in this session; null on success.
 * @throws {Refusal} 401 when the session ended meanwhile
 */
export async function link(
  deps: AuthDeps,
  { origin, session }: RequestContext,
  provider: ProviderName,
  { userId }: Flow,
  profile: ProviderProfile,
): Promise<ProviderTrouble | null> {
  if (session.member === null || session.member.actor.id !== userId) return 'expired';
  return transaction(deps.db, async (tx) => {
    await store.lockIdentity(tx, provider, profile.subject);
    const user = await lockSessionUser(tx, session);
    const known = await store.findIdentity(tx, provider, profile.subject);
    if (known?.user_id === user.id) return null;
    if (known || !(await insertIdentity(deps, tx, user, { provider, profile }))) {
      return 'already_linked';
    }
    await endSessionsOf(tx, user.id, { except: session.id });
    await reportLinked(deps, tx, user, origin, provider);
    return null;
  });
}

/** @throws {Refusal} 404; 409 `last_way_in` */
export async function unlink(
  deps: AuthDeps,
  context: MemberContext,
  provider: ProviderName,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    if (!(await store.deleteIdentity(tx, user.id, provider))) throw notFound();
    await requireWayIn(tx, user);
    await endSessionsOf(tx, user.id, { except: context.session.id });
    const change = { kind: 'provider-unlinked', provider: providerLabels[provider] } as const;
    await emailSecurityChange(deps, tx, user, change);
    await recordUserEvent(tx, 'auth.provider_unlinked', user, context, { provider });
  });
}
