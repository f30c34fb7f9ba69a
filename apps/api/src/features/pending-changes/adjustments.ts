/** Adjustments of reserves: a large one waits for a second person, and never takes effect by itself. */
import { adjustReserve, type Reserve } from '@cambist/contract/reserves';
import { formatAmount } from '@cambist/money/amount';
import { emailAdmins } from '#features/auth/admin/admin-emails.ts';
import { read } from '#features/content/settings/settings.ts';
import { findCurrency } from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { secondApproverThreshold } from '#features/pairs/second-approver.ts';
import type { Actor } from '#kernel/actor.ts';
import { notFound } from '#kernel/refusal.ts';
import { idempotent, keyedAsk, type IdempotentAnswer } from '#platform/http/idempotency.ts';
import type { Ask } from '#platform/http/serve.ts';
import { changedEmail } from './emails.ts';
import { request, waitingOf, type ChangeDeps, type Waiting } from './pending-changes.ts';

/**
 * Idempotent by the key.
 * @throws Refusal 404; 422 on `amount`; 409 `insufficient_reserve`
 */
export async function adjust(
  deps: ChangeDeps,
  ask: Ask<typeof adjustReserve, Actor>,
): Promise<IdempotentAnswer<{ data: Reserve; pending_change: Waiting | null }>> {
  const { actor, body: asked } = ask;
  const currency = await findCurrency(deps.db, ask.params.currency);
  if (currency === undefined) throw notFound();
  const amount = ledger.readAdjustment(asked, currency.decimals);
  const threshold = await secondApproverThreshold(deps, currency);
  const waits = threshold !== null && (amount < 0n ? -amount : amount) > threshold;
  const desk = await read(deps, 'desk');
  const { time_zone: timeZone } = await read(deps, 'general');
  return idempotent(deps, keyedAsk(adjustReserve, ask), async (tx) => {
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
      const change = { currency, content, effective_at: null, timeZone };
      waiting = waitingOf(await request(deps, tx, ask, change));
    } else {
      await ledger.postAdjustment(deps, tx, currency, asked, { actorId: actor.id });
      await ledger.recordAdjustment(tx, currency, ask, asked);
      await emailAdmins(deps, tx, 'money', changedEmail({ ...currency, ...content }, actor.name));
    }
    const [after] = await ledger.reserves(tx, desk, currency.slug);
    if (after === undefined) throw new Error('A currency has ledger accounts.');
    return { data: after, pending_change: waiting };
  });
}
