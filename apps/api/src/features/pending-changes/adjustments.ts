/** Adjustments of reserves: a large one waits for a second person, and never takes effect by itself. */
import type { Reserve } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import { emailAdmins } from '#features/auth/admin/admin-emails.ts';
import { read } from '#features/content/settings/settings.ts';
import { findCurrency } from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { secondApproverThreshold } from '#features/pairs/second-approver.ts';
import { notFound } from '#kernel/refusal.ts';
import { idempotent, type IdempotentAnswer } from '#platform/http/idempotency.ts';
import { changedEmail } from './emails.ts';
import { ask, waitingOf, type Asker, type ChangeDeps, type Waiting } from './pending-changes.ts';
import * as store from './store.ts';

const LAPSES_AFTER_DAYS = 7;

/**
 * Idempotent by the key.
 * @throws Refusal 404; 422 on `amount`; 409 `insufficient_reserve`
 */
export async function adjust(
  deps: ChangeDeps,
  asker: Asker,
  slug: string,
  asked: ledger.AdjustmentAsked,
  idempotencyKey: string,
): Promise<IdempotentAnswer<{ data: Reserve; pending_change: Waiting | null }>> {
  const currency = await findCurrency(deps.db, slug);
  if (currency === undefined) throw notFound();
  const amount = ledger.readAdjustment(asked, currency.decimals);
  const threshold = await secondApproverThreshold(deps, currency);
  const waits = threshold !== null && (amount < 0n ? -amount : amount) > threshold;
  const desk = await read(deps, 'desk');
  const { time_zone: timeZone } = await read(deps, 'general');

  const { actor, origin } = asker;
  const request = {
    actorId: actor.id,
    route: 'POST /api/admin/reserves/{currency}/adjustments',
    key: idempotencyKey,
    request: { currency: slug, ...asked },
    status: 201,
  };
  return idempotent(deps, request, async (tx) => {
    const available = await ledger.available(tx, currency.id);
    if (available + amount < 0n) throw ledger.insufficientReserve(currency.unit, currency.channel);
    const text = (minor: bigint) => formatAmount(minor, currency.decimals);
    const content = {
      kind: 'adjustment',
      before: { available: text(available) },
      after: { ...asked, available: text(available + amount) },
    } as const;
    let waiting: Waiting | null = null;
    if (waits) {
      const ends = { lapses_at: await store.daysFromNow(tx, LAPSES_AFTER_DAYS) };
      waiting = waitingOf(await ask(deps, tx, asker, { currency, content, ends, timeZone }));
    } else {
      await ledger.postAdjustment(deps, tx, currency, asked, { actorId: actor.id });
      await ledger.recordAdjustment(tx, currency, { actor, origin }, asked);
      await emailAdmins(deps, tx, 'money', changedEmail({ ...currency, ...content }, actor.name));
    }
    const [after] = await ledger.reserves(tx, desk, slug);
    if (after === undefined) throw new Error('A currency has ledger accounts.');
    return { data: after, pending_change: waiting };
  });
}
