/**
 * What visitors miss or find broken. Neither name nor address of the sender is stored,
 * so a report cannot be answered. What a machine filled in is stored as suspected.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  createFeatureReport,
  type FeatureReport,
  type ReportState,
  type updateFeatureReport,
} from '@cambist/contract/feature-reports';
import type { By } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, versionConflict } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction, type Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_MESSAGE_MS } from '#platform/security/form-stamp.ts';
import { forgetAnswersNaming } from '#platform/http/idempotency.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import * as store from './store.ts';

/** A bot gets the same answer. @throws {Refusal} 503 `site_closed` */
export async function receive(
  { db, published, clock, keys }: Pick<Deps, 'db' | 'published' | 'clock' | 'keys'>,
  { website, stamp, page = '', ...report }: BodyOf<typeof createFeatureReport>,
): Promise<{ id: Id }> {
  await refuseWhileClosed({ db, published });
  const created_at = clock();
  const limit = { now: created_at, shortestMs: SHORTEST_MESSAGE_MS };
  const state = isSuspected(keys, { website, stamp }, limit) ? 'suspected' : 'new';
  const id = newId();
  await store.insertReport(db, { id, ...report, page, state, created_at });
  return { id };
}

/** @throws {Refusal} 422 on `cursor` */
export async function list(db: Db, query: ListQuery<ReportState>) {
  const ask = askOf(query);
  const { page, meta } = pageOf(await store.listReports(db, ask), ask, (row) => row.created_at);
  const counts = await store.countReports(db);
  return { data: page.map(reportOf), meta, counts };
}

/** @throws {Refusal} 404; 409 `version_conflict` */
export function update(
  { db }: Pick<Deps, 'db'>,
  by: By,
  id: Id,
  { version, ...change }: BodyOf<typeof updateFeatureReport>,
): Promise<FeatureReport> {
  return transaction(db, async (tx) => {
    const row = await store.lockReport(tx, id);
    if (row === undefined) throw notFound();
    if (row.version !== version) throw versionConflict();
    const changed = await store.updateReport(tx, id, { ...change, version: version + 1 });
    await record(tx, {
      ...by,
      action: 'feature_report.updated',
      subject_kind: 'feature_report',
      subject_id: id,
      data: { title: row.title, ...change },
    });
    return reportOf(changed);
  });
}

/** @throws {Refusal} 404 */
export function remove({ db }: Pick<Deps, 'db'>, by: By, id: Id): Promise<void> {
  return transaction(db, async (tx) => {
    const row = await store.deleteReport(tx, id);
    if (row === undefined) throw notFound();
    await forgetAnswersNaming(tx, createFeatureReport, id);
    await record(tx, {
      ...by,
      action: 'feature_report.deleted',
      subject_kind: 'feature_report',
      subject_id: id,
      data: { title: row.title },
    });
  });
}

function reportOf({ search: _words, created_at, ...report }: store.ReportRow): FeatureReport {
  return { ...report, created_at: created_at.toISOString() };
}
