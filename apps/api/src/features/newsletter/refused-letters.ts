/** What of a campaign came to nothing, letter by letter. */
import type { RefusedLetter } from '@cambist/contract/campaigns';
import { Id as IdShape } from '@cambist/contract/wire';
import { Value } from 'typebox/value';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import type { Db } from '#platform/database.ts';
import { findCampaign } from './campaign-store.ts';
import { listRefused } from './letter-store.ts';

const PER_PAGE = 50;

/** @throws {Refusal} 404; 422 on `cursor` */
export async function listRefusedLetters(
  db: Db,
  id: Id,
  { cursor, per_page = PER_PAGE }: { readonly cursor?: string; readonly per_page?: number },
) {
  if (cursor !== undefined && !Value.Check(IdShape, cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  if ((await findCampaign(db, id)) === undefined) throw notFound();
  const rows = await listRefused(db, id, { after: cursor ?? null, limit: per_page + 1 });
  const page = rows.slice(0, per_page);
  const next_cursor = rows.length > per_page ? (page.at(-1)?.id ?? null) : null;
  const data = page.map((row): RefusedLetter => ({ ...row, at: row.at?.toISOString() ?? null }));
  return { data, meta: { next_cursor, per_page } };
}
