/** The one change of an exchange's figures after its creation: another amount or another rate counts. */
import { divideDown, formatDecimal, multiply, parseDecimal } from '@cambist/money/decimal';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { readPolicy } from '#features/pairs/policy.ts';
import { repriced, type Figures } from '#features/pairs/price.ts';
import { sharePair } from '#features/pairs/pairs.ts';
import { staleReason } from '#features/pairs/state.ts';
import type { ExchangeContext } from '../context.ts';
import type { Facts } from '../guards.ts';
import type { Exchange } from '../store/exchanges.ts';
import { insertRecalculation } from '../store/records.ts';
import { idOf, type Locked } from './transition.ts';

/**
 * The figures of an amount at the pair's terms of now; the pair may be closed or switched off.
 * @throws Refusal 409 `pair_unavailable` without a recent rate; 422 where nothing would be paid out
 */
export async function currentFigures(
  context: ExchangeContext,
  tx: Tx,
  { exchange, facts }: { readonly exchange: Exchange; readonly facts: Pick<Facts, 'now'> },
  sendMinor: bigint,
): Promise<Figures> {
  const pair = await sharePair(tx, exchange.pair_id);
  const policy = await readPolicy(context);
  if (!pair || staleReason(pair, policy, facts.now) !== null) {
    throw new Refusal(
      409,
      'pair_unavailable',
      'There is no recent rate for this direction. Use the locked one, or wait.',
    );
  }
  return repriced(pair, sendMinor, facts.now);
}

type Changed = Figures & Pick<Exchange, 'reporting_value'>;

/** Records old and new figures; returns the columns to write. Nothing where they are the same. */
export async function recalculate(
  tx: Tx,
  { exchange, by }: Locked,
  figures: Figures,
): Promise<Partial<Changed>> {
  const changed: Changed = { ...figures, reporting_value: worthOf(exchange, figures.send_minor) };
  const isSame = Object.entries(changed).every(
    ([key, value]) =>
      JSON.stringify(text(value)) === JSON.stringify(text(exchange[key as keyof Changed])),
  );
  const actorId = idOf(by);
  if (isSame || actorId === null) return {};
  const written = Object.fromEntries(
    Object.entries(changed).map(([key, value]) => [key, text(value)]),
  );
  await insertRecalculation(tx, { exchangeId: exchange.id, figures: written, actorId });
  return changed;
}

/** At the valuation of the creation, so that limits count what is sent now; rounded down to the column's decimals. */
function worthOf({ reporting_value: value, send_minor }: Exchange, sendMinor: bigint) {
  if (value === null) return null;
  const scaled = multiply(parseDecimal(value), { units: sendMinor, scale: 0 });
  return formatDecimal(divideDown(scaled, { units: send_minor, scale: 0 }, 18));
}

function text(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
