/**
 * Imports of subscribers. The preview and the import read the same file by the same rules, so
 * nothing is stored in between; an import is one transaction with its audit entry.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  skipReasons,
  type importSubscribers,
  type ImportPreview,
  type previewSubscriberImport,
  type SubscriberImport,
} from '@cambist/contract/subscriber-imports';
import type { By } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { emailHash } from './newsletter.ts';
import {
  namedColumns,
  parseFile,
  readCandidates,
  type Candidate,
  type Skip,
} from './import-file.ts';
import * as store from './import-store.ts';

const LISTED = 50;
const EXAMPLES = 20;
const SAMPLE = 5;

/** @throws {Refusal} 422 on `csv`, `columns` */
export async function preview(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  { csv, columns: chosen }: BodyOf<typeof previewSubscriberImport>,
): Promise<ImportPreview> {
  const file = parseFile(csv);
  const columns = chosen ?? namedColumns(file);
  const about = { headings: [...file.headings], columns, rows: file.lines.length };
  if (columns.email === null) return { ...about, added: 0, skipped: [], sample: [] };
  const read = readCandidates(file, { ...columns, email: columns.email });
  const { added, skipped } = await withoutKnown(db, keys, read);
  return {
    ...about,
    added: added.length,
    skipped: skipReasons
      .map((reason) => skipped.filter((skip) => skip.reason === reason))
      .filter((same) => same.length > 0)
      .map((same) => ({
        reason: same[0]?.reason ?? 'repeated',
        count: same.length,
        examples: same.slice(0, EXAMPLES).map(({ line, text }) => ({ line, text })),
      })),
    sample: added.slice(0, SAMPLE).map(({ email, language }) => ({ email, language })),
  };
}

/** @throws {Refusal} 422 on `csv`, `consented_on` */
export function importAll(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  by: By,
  { name, csv, columns, consent, consented_on }: BodyOf<typeof importSubscribers>,
): Promise<SubscriberImport> {
  const now = clock();
  if (consented_on > now.toISOString().slice(0, 10)) {
    throw invalid({ consented_on: 'The day must not be in the future.' });
  }
  const file = parseFile(csv);
  const read = readCandidates(file, columns);
  return transaction(db, async (tx) => {
    const id = newId();
    const { added: candidates } = await withoutKnown(tx, keys, read);
    const added = await store.insertImported(tx, id, now, candidates);
    const row = {
      id,
      name: name.trim(),
      added,
      skipped: file.lines.length - added,
      consent: consent.trim(),
      consented_on,
      created_by: by.actor.id,
      created_by_name: by.actor.name,
      created_at: now,
    };
    await store.insertImport(tx, row);
    await record(tx, {
      ...by,
      action: 'newsletter.imported',
      subject_kind: 'subscriber_import',
      subject_id: id,
      data: { added, skipped: row.skipped, consent: row.consent, consented_on },
    });
    return importOf(row);
  });
}

export async function listAll(db: Db): Promise<SubscriberImport[]> {
  return (await store.listImports(db, LISTED)).map(importOf);
}

async function withoutKnown(
  db: Db | Tx,
  keys: Deps['keys'],
  { candidates, skipped }: { candidates: readonly Candidate[]; skipped: readonly Skip[] },
): Promise<{ added: Candidate[]; skipped: Skip[] }> {
  const hashes = candidates.map(({ email }) => emailHash(keys, email));
  const states = await store.findStates(
    db,
    candidates.map(({ email }) => email.toLowerCase()),
  );
  const forgotten = await store.findForgotten(db, hashes);
  const added: Candidate[] = [];
  const known: Skip[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const { line, email } = candidate;
    const state = states.get(email.toLowerCase());
    const reason =
      state === undefined
        ? forgotten.has(hashes[at]?.toString('hex') ?? '')
          ? 'unsubscribed'
          : null
        : REASONS[state];
    if (reason === null) added.push(candidate);
    else known.push({ reason, line, text: email });
  }
  return { added, skipped: [...skipped, ...known].toSorted((one, next) => one.line - next.line) };
}

const REASONS = {
  pending: 'already_subscribed',
  confirmed: 'already_subscribed',
  left: 'unsubscribed',
  bounced: 'undeliverable',
} as const;

function importOf({
  created_by: _id,
  created_by_name,
  created_at,
  ...row
}: store.ImportRow): SubscriberImport {
  return { ...row, created_by: created_by_name, created_at: created_at.toISOString() };
}
