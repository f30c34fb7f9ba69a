/** A pair as an admin writes it: its currencies, columns and mid rate. */
import { refuseIfAny } from '#kernel/amount-field.ts';
import { invalid } from '#kernel/refusal.ts';
import { readMarket } from '#features/rates/market/market.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { manualMidRate, marketMidRate, type MidRate } from '../mid-rate.ts';
import * as store from '../store.ts';
import type { Side } from '../store.ts';
import { blank, readColumns, validateColumns, type Draft } from './columns.ts';

const SLUG_LENGTH = 80;

/**
 * A complete draft, read and validated. A preview may have a manual rate that has ended.
 * @throws Refusal 422 by field
 */
export async function readDraft(db: Db | Tx, draft: Draft, use: 'save' | 'preview') {
  const { send: sendSlug, receive: receiveSlug, mid_rate, mid_until, ...settings } = draft;
  const sides = await readSides(db, sendSlug, receiveSlug);
  const slug = `${sendSlug}-to-${receiveSlug}`;
  if (slug.length > SLUG_LENGTH)
    throw invalid({ send: 'The slugs of the two currencies are too long together.' });
  const before = { ...blank, ...sides };
  const columns = readColumns(before, settings);
  const mid =
    columns.rate_mode === 'manual'
      ? await readManualRate(db, mid_rate, mid_until, use)
      : await readMarketRate(db, columns.formula, sides, { mid_rate, mid_until });
  validateColumns({ ...before, ...mid }, settings, columns);
  return { slug, sides, columns, mid };
}

export interface Sides {
  readonly send: Side;
  readonly receive: Side;
}

async function readSides(db: Db | Tx, sendSlug: string, receiveSlug: string) {
  const send = await store.findSide(db, sendSlug);
  if (!send) throw invalid({ send: 'The send currency does not exist.' });
  const receive = await store.findSide(db, receiveSlug);
  if (!receive) throw invalid({ receive: 'The receive currency does not exist.' });
  if (send.id === receive.id) throw invalid({ receive: 'The two currencies must differ.' });
  return { send, receive };
}

interface ManualRate {
  readonly mid_rate?: string | null | undefined;
  readonly mid_until?: string | null | undefined;
}

export async function readMarketRate(
  db: Db | Tx,
  formula: string | null,
  { send, receive }: Sides,
  { mid_rate, mid_until }: ManualRate,
): Promise<MidRate> {
  const only = (field: string) => `The ${field} field only goes with a manual rate.`;
  refuseIfAny({
    ...(typeof mid_rate === 'string' ? { mid_rate: only('mid_rate') } : {}),
    ...(typeof mid_until === 'string' ? { mid_until: only('mid_until') } : {}),
  });
  const market = await readMarket(db);
  return marketMidRate({ formula, from: send.unit, to: receive.unit }, market).mid;
}

export async function readManualRate(
  db: Db | Tx,
  rate: string | null | undefined,
  until: string | null | undefined,
  use: 'save' | 'preview' = 'save',
): Promise<MidRate> {
  if (typeof rate !== 'string') throw invalid({ mid_rate: 'The mid rate field is required.' });
  const now = await databaseTime(db);
  const end = typeof until === 'string' ? new Date(until) : null;
  // A leap second matches the schema and is no valid Date.
  if (end !== null && Number.isNaN(end.getTime()))
    throw invalid({ mid_until: 'The mid until field must be a time that exists.' });
  if (use === 'save' && end !== null && end <= now)
    throw invalid({ mid_until: 'The mid until field must be in the future.' });
  return manualMidRate(rate, now, end);
}
