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
import { transaction, type Tx } from '#platform/db/database.ts';
import { requireFresh } from '#platform/http/guards.ts';
import { changedEmail } from './emails.ts';
import { ask, type Asker, type ChangeDeps } from './pending-changes.ts';
import * as store from './store.ts';

type Accounts = Currency['payee_accounts'];
type Draft = BodyOf<typeof createCurrency>;

/** @throws Refusal 422 by field; 403 `confirmation_required` for one with payee accounts */
export async function createWithPayees(
  deps: ChangeDeps,
  asker: Asker,
  draft: Draft,
): Promise<Currency> {
  const { actor, origin, session } = asker;
  if (draft.payee_accounts.length > 0) requireFresh(session, deps.clock());
  const rules = await readRules(deps);
  return transaction(deps.db, async (tx) => {
    const accounts = currencies.payeesOf(draft.payee_accounts, []);
    const end = await endOf(tx, rules, [], accounts);
    const payeesAre = end === null ? 'written' : 'waiting';
    const within = { ...deps, db: tx };
    const currency = await currencies.create(within, actor, origin, draft, payeesAre);
    await askOrTell(deps, tx, asker, { currency, before: [], after: accounts, end, rules });
    return currency;
  });
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
  const { actor, origin, session } = asker;
  const { version, payee_accounts: before } = await currencies.get(deps.db, slug);
  if (given === undefined || isSame(before, given))
    return currencies.update(deps, actor, origin, slug, body);
  // With this version the accounts are those that were just read: a change of them raises it.
  if (version !== body.version) throw versionConflict();
  requireFresh(session, deps.clock());
  const rules = await readRules(deps);
  return transaction(deps.db, async (tx) => {
    const after = currencies.payeesOf(given, before);
    const end = await endOf(tx, rules, before, after);
    const payeesAre = end === null ? 'written' : 'waiting';
    const changes = { ...body, payee_accounts: given };
    const within = { ...deps, db: tx };
    const currency = await currencies.update(within, actor, origin, slug, changes, payeesAre);
    if (await store.findWaitingPayees(tx, currency.id)) throw changeWaits();
    await askOrTell(deps, tx, asker, { currency, before, after, end, rules });
    return currency;
  });
}

interface Rules {
  readonly coolingHours: number;
  readonly timeZone: string;
}

/** Before the transaction, which has one connection only. */
async function readRules(deps: ChangeDeps): Promise<Rules> {
  const { payee_cooling_hours: coolingHours } = await read(deps, 'desk');
  const { time_zone: timeZone } = await read(deps, 'general');
  return { coolingHours, timeZone };
}

/** When the change takes effect; null: at once. */
async function endOf(
  tx: Tx,
  { coolingHours }: Rules,
  before: Accounts,
  after: Accounts,
): Promise<Date | null> {
  return isHarmless(before, after) ? null : store.coolingEnd(tx, coolingHours);
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

const contentOf = ({
  label,
  details,
  instructions,
  qr_template,
  active,
}: Draft['payee_accounts'][number]) => ({
  label,
  details,
  instructions,
  qr_template,
  active,
});

interface PayeeChange {
  readonly currency: Currency;
  readonly before: Accounts;
  readonly after: Accounts;
  readonly end: Date | null;
  readonly rules: Rules;
}

async function askOrTell(
  deps: ChangeDeps,
  tx: Tx,
  asker: Asker,
  { currency, before, after, end, rules }: PayeeChange,
): Promise<void> {
  const content = { kind: 'payee_accounts', before, after } as const;
  if (end !== null)
    await ask(deps, tx, asker, { currency, content, ends: { effective_at: end }, ...rules });
  else if (before.length > 0 || after.length > 0)
    await emailAdmins(
      deps,
      tx,
      'money',
      changedEmail({ ...currency, ...content }, asker.actor.name),
    );
}

function changeWaits(): Refusal {
  return new Refusal(
    409,
    'change_waits',
    'A change of these payee accounts waits already. Confirm it or object to it first.',
  );
}
