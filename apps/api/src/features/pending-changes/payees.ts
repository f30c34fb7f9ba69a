/**
 * Where customers pay. A thief with one session would change it, so a new or changed account waits:
 * customers see the old ones until another admin confirms it, or its time has passed.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createCurrency, Currency, updateCurrency } from '@cambist/contract/currencies';
import { emailAdmins } from '#features/auth/admin/admin-emails.ts';
import { read } from '#features/content/settings/settings.ts';
import * as currencies from '#features/currencies/currencies.ts';
import { canonical } from '#kernel/canonical.ts';
import { Refusal, versionConflict } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import { requireFresh } from '#platform/http/guards.ts';
import { changedEmail } from './emails.ts';
import { request, type Asker, type ChangeDeps } from './pending-changes.ts';
import * as store from './store.ts';

type Accounts = Currency['payee_accounts'];
type Draft = BodyOf<typeof createCurrency>;

/** @throws Refusal 422 by field; 403 `confirmation_required` for one with payee accounts */
export async function createWithPayees(
  deps: ChangeDeps,
  asker: Asker,
  draft: Draft,
): Promise<Currency> {
  const given = draft.payee_accounts;
  if (given.length === 0) return currencies.create(deps, asker, draft);
  return changePayees(deps, asker, { before: [], given }, (within, payeesAre) =>
    currencies.create(within, asker, draft, payeesAre),
  );
}

/**
 * @throws Refusal 404; 409 `version_conflict`, `change_waits`; 422 by field; 403
 *   `confirmation_required` where the payee accounts change
 */
export async function updateWithPayees(
  deps: ChangeDeps,
  asker: Asker,
  slug: string,
  { payee_accounts: given, ...body }: BodyOf<typeof updateCurrency>,
): Promise<Currency> {
  const { version, payee_accounts: before } = await currencies.get(deps.db, slug);
  if (given === undefined || isSame(before, given))
    return currencies.update(deps, asker, slug, body);
  // With this version the accounts are those that were just read: a change of them raises it.
  if (version !== body.version) throw versionConflict();
  const changes = { ...body, payee_accounts: given };
  return changePayees(deps, asker, { before, given }, (within, payeesAre) =>
    currencies.update(within, asker, slug, changes, payeesAre),
  );
}

/** `write` writes the currency, with its accounts unless they must wait. */
async function changePayees(
  deps: ChangeDeps,
  asker: Asker,
  { before, given }: { before: Accounts; given: Draft['payee_accounts'] },
  write: (within: ChangeDeps, payeesAre: currencies.PayeesAre) => Promise<Currency>,
): Promise<Currency> {
  requireFresh(asker.request.session, deps.clock());
  // Before the transaction, which has one connection only.
  const { payee_cooling_hours } = await read(deps, 'desk');
  const { time_zone: timeZone } = await read(deps, 'general');
  return transaction(deps.db, async (tx) => {
    const after = currencies.payeesOf(given, before);
    const effective_at = isHarmless(before, after)
      ? null
      : await store.coolingEnd(tx, payee_cooling_hours);
    const currency = await write(
      { ...deps, db: tx },
      effective_at === null ? 'written' : 'waiting',
    );
    if (await store.findWaitingPayees(tx, currency.id))
      throw new Refusal(
        409,
        'change_waits',
        'A change of these payee accounts waits already. Confirm it or object to it first.',
      );
    const content = { kind: 'payee_accounts', before, after } as const;
    if (effective_at !== null)
      await request(deps, tx, asker, { currency, content, effective_at, timeZone });
    else {
      const email = changedEmail({ ...currency, ...content }, asker.actor.name);
      await emailAdmins(deps, tx, 'money', email);
    }
    return currency;
  });
}

function isSame(before: Accounts, given: Draft['payee_accounts']): boolean {
  return (
    before.length === given.length &&
    given.every((account, at) => {
      const old = before[at];
      const hasOwnId = account.id === undefined || account.id === old?.id;
      return old && hasOwnId && canonical(contentOf(account)) === canonical(contentOf(old));
    })
  );
}

/**
 * Customers can pay only into accounts that they could pay into before, in their order; and where
 * they could pay, they still can, since a thief must not stop a currency either.
 */
export function isHarmless(before: Accounts, after: Accounts): boolean {
  const active = (accounts: Accounts) =>
    accounts.filter((account) => account.active).map((account) => canonical(contentOf(account)));
  const [known, left] = [active(before), active(after)];
  if (left.length === 0) return known.length === 0;
  let found = 0;
  for (const account of known) if (account === left[found]) found += 1;
  return found === left.length;
}

function contentOf({ id: _id, ...content }: Draft['payee_accounts'][number]) {
  return content;
}
