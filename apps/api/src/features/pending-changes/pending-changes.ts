/** Changes of the desk's own money that wait: asked for, then confirmed, objected to, due or lapsed. */
import {
  confirmPendingChange,
  type objectToPendingChange,
  type PendingChange,
} from '@cambist/contract/pending-changes';
import { formatAmount } from '@cambist/money/amount';
import { record } from '#features/audit/audit.ts';
import { emailAdmins } from '#features/auth/admin/admin-emails.ts';
import { read } from '#features/content/settings/settings.ts';
import { applyPayees, lockCurrency } from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { type Actor, type ByAnyone, bySystem } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { idempotent, keyedAsk, type IdempotentAnswer } from '#platform/http/idempotency.ts';
import type { Ask } from '#platform/http/serve.ts';
import { endedEmail, waitingEmail } from './emails.ts';
import * as store from './store.ts';
import type { ChangeContent, ChangeRow } from './store.ts';

export type ChangeDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

export type Asker = Pick<Ask<unknown, Actor>, 'actor' | 'origin' | 'request'>;

export type Waiting = Pick<PendingChange, 'id' | 'effective_at' | 'lapses_at'>;

export function waitingOf({ id, effective_at, lapses_at }: ChangeRow): Waiting {
  return {
    id,
    effective_at: effective_at?.toISOString() ?? null,
    lapses_at: lapses_at?.toISOString() ?? null,
  };
}

export async function list(db: Db, { id }: Actor): Promise<PendingChange[]> {
  const reserves = new Map((await ledger.listAvailable(db)).map((row) => [row.id, row.balance]));
  return (await store.listWaiting(db)).map((row) => {
    const change = viewOf(row, id);
    if (change.kind !== 'adjustment') return change;
    // The reserve may have moved since.
    const available = reserves.get(row.currency_id) ?? 0n;
    const after = available + ledger.readAdjustment(change.after, row.decimals);
    return {
      ...change,
      before: { available: formatAmount(available, row.decimals) },
      after: { ...change.after, available: formatAmount(after, row.decimals) },
    };
  });
}

/** The change of a currency's payee accounts that waits. */
export async function waitingPayees(db: Db, currencyId: string): Promise<Waiting | null> {
  const row = await store.findWaitingPayees(db, currencyId);
  return row === undefined ? null : waitingOf(row);
}

interface Requested {
  readonly currency: { readonly id: string };
  readonly content: ChangeContent;
  /** Null for one that lapses unless another admin confirms it. */
  readonly effective_at: Date | null;
  readonly timeZone: string;
}

/** Writes a change that waits, audits it and emails the admins. */
export async function request(
  deps: ChangeDeps,
  tx: Tx,
  { actor, origin }: Asker,
  { currency, content, effective_at, timeZone }: Requested,
): Promise<ChangeRow> {
  const id = newId();
  const row = { id, currency_id: currency.id, asked_by: actor.id, effective_at, ...content };
  await store.insertChange(tx, row);
  const change = await store.findChange(tx, id);
  if (change === undefined) throw new Error('The change was just written.');
  await recordChange(tx, change, 'waits', { actor, origin });
  await emailAdmins(deps, tx, 'money', waitingEmail(change, timeZone));
  return change;
}

/**
 * Idempotent by the key. The change and its currency are locked, so that of two decisions one wins.
 * @throws Refusal 404; 409 `own_change`, `too_new`, `change_ended`, `insufficient_reserve`
 */
export async function decide(
  deps: ChangeDeps,
  endpoint: typeof confirmPendingChange | typeof objectToPendingChange,
  ask: Ask<typeof confirmPendingChange, Actor>,
): Promise<IdempotentAnswer<{ data: PendingChange }>> {
  const { actor, origin } = ask;
  const { id } = ask.params;
  const { payee_cooling_hours } = await read(deps, 'desk');
  return idempotent(deps, keyedAsk(endpoint, ask), async (tx) => {
    const change = await lockWaiting(tx, id);
    if (change === undefined) throw notFound();
    // A lapsed one may still stand until the task ends it.
    if (change.state !== 'waiting' || (change.lapses_at !== null && change.is_due))
      throw new Refusal(409, 'change_ended', 'This change does not wait any more.');
    const isConfirmed = endpoint.path === confirmPendingChange.path;
    if (isConfirmed) {
      if (change.asked_by === actor.id)
        throw new Refusal(409, 'own_change', 'Another admin must confirm this change.');
      // Else a thief who may change roles would make a second admin first.
      if (await store.isNewAdmin(tx, actor.id, payee_cooling_hours))
        throw new Refusal(
          409,
          'too_new',
          'You got the permission money too recently to confirm this change.',
        );
      await apply(deps, tx, change, { actor, origin });
    }
    const outcome = isConfirmed ? 'confirmed' : 'objected';
    const state = await end(deps, tx, change, outcome, { actor, origin });
    return { data: viewOf({ ...change, state }, actor.id) };
  });
}

/** The task. Two processes may run it at once: each change is locked, and looked at again. */
export async function endDue({ log, ...deps }: ChangeDeps & Pick<Deps, 'log'>): Promise<string> {
  let ended = 0;
  for (const id of await store.listDue(deps.db)) {
    try {
      ended += await transaction(deps.db, async (tx) => {
        const change = await lockWaiting(tx, id);
        if (change?.state !== 'waiting' || !change.is_due) return 0;
        if (change.effective_at !== null) await apply(deps, tx, change, bySystem);
        const outcome = change.effective_at === null ? 'lapsed' : 'effective';
        await end(deps, tx, change, outcome, bySystem);
        return 1;
      });
    } catch (error) {
      // The others must not wait for it.
      log.error({ err: error, id }, 'A change that is due could not take effect.');
    }
  }
  return `${ended} ended`;
}

/** The currency first, as an update of its accounts does, so that there is no deadlock. */
async function lockWaiting(tx: Tx, id: string): Promise<ChangeRow | undefined> {
  const found = await store.findChange(tx, id);
  if (found === undefined) return undefined;
  await lockCurrency(tx, found.slug);
  return store.lockChange(tx, id);
}

/** @throws Refusal 409 `insufficient_reserve` */
async function apply(deps: ChangeDeps, tx: Tx, change: ChangeRow, by: ByAnyone): Promise<void> {
  const currency = { ...change, id: change.currency_id };
  if (change.kind === 'payee_accounts') {
    await applyPayees(deps, tx, currency, change.after, by);
    return;
  }
  if (by.actor === 'system') throw new Error('An adjustment needs a second person.');
  const { available: _then, ...asked } = change.after;
  const { asked_by } = change;
  const cause = `change:${change.id}`;
  await ledger.postAdjustment(deps, tx, currency, asked, { actorId: asked_by, cause });
  const { actor, origin } = by;
  await ledger.recordAdjustment(tx, currency, { actor, origin }, { ...asked, asked_by });
}

type Outcome = 'confirmed' | 'effective' | 'objected' | 'lapsed';

async function end(
  deps: ChangeDeps,
  tx: Tx,
  change: ChangeRow,
  outcome: Outcome,
  by: ByAnyone,
): Promise<ChangeRow['state']> {
  const state = outcome === 'confirmed' ? 'effective' : outcome;
  const decider = by.actor === 'system' ? null : by.actor;
  await store.endChange(tx, change.id, state, decider?.id ?? null);
  await recordChange(tx, change, outcome, by);
  await emailAdmins(deps, tx, 'money', endedEmail(change, outcome, decider?.name ?? null));
  return state;
}

function recordChange(
  tx: Tx,
  { id, kind, slug, currency_id, asked_by, before, after }: ChangeRow,
  what: Outcome | 'waits',
  by: ByAnyone,
): Promise<void> {
  return record(tx, {
    ...by,
    action: `pending_change.${what}`,
    subject_kind: 'currency',
    subject_id: currency_id,
    data: { change: id, kind, slug, asked_by, before, after },
  });
}

function viewOf(row: ChangeRow, readerId: string): PendingChange {
  const { kind, before, after, state } = row;
  return {
    ...waitingOf(row),
    ...({ kind, before, after } as ChangeContent),
    subject: row.slug,
    by: row.asked_by_name,
    own: row.asked_by === readerId,
    at: row.asked_at.toISOString(),
    state,
  };
}
