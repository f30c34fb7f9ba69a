/**
 * Lists of subscribers from a file. A job reads the file into rows of its own, which
 * shows what writing them would do; only when an admin has named the consent does
 * another job add them, a thousand at a time, its place kept with each thousand. So
 * either may die and begin again, and nobody is added twice or unasked.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { startSubscriberImport, SubscriberImport } from '@cambist/contract/subscriber-imports';
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { deleteOrphans } from '#platform/orphans.ts';
import { readUpload } from '#platform/upload.ts';
import { folder, isEmpty, readFile } from './import-reading.ts';
import * as store from './import-store.ts';

export const SUBSCRIBER_IMPORTS = 'subscriber-imports';

/** Some 200,000 addresses; below the limit of a request's body. */
const maxBytes = 7 * 1024 * 1024;
const BATCH = 1000;
const SHOWN = 50;
/** Addresses that nobody decided on are not kept. */
const UNDECIDED_DAYS = 7;

/** @throws {Refusal} 422 on `file`, 413 */
export async function upload(
  deps: Pick<Deps, 'db' | 'files' | 'jobs' | 'clock'>,
  actor: Actor,
  origin: Origin,
  request: FastifyRequest,
): Promise<SubscriberImport> {
  const { file, name } = await readUpload(deps.files, request, { field: 'file', folder, maxBytes });
  const stored_name = await file.keep('csv');
  const id = newId();
  try {
    if (await isEmpty(deps, stored_name)) {
      throw invalid({ file: 'There is nothing in the file, or nothing but headings.' });
    }
    return await transaction(deps.db, async (tx) => {
      await store.insertImport(tx, {
        id,
        name:
          name
            .replace(/[\p{Cc}\\/]+/gu, ' ')
            .trim()
            .slice(0, 120) || 'list.csv',
        state: 'reading',
        consented_on: null,
        stored_name,
        size_bytes: file.sizeBytes,
        faults: [],
        fault: null,
        created_by: actor.id,
        created_by_name: actor.name,
        created_at: deps.clock(),
        done_at: null,
      });
      await deps.jobs.enqueue(tx, SUBSCRIBER_IMPORTS, { id }, { key: id });
      await tell(tx, actor, origin, 'newsletter.import_uploaded', id);
      return get(tx, id);
    });
  } catch (error) {
    // What cannot be deleted now is left to the sweep.
    await Promise.allSettled([deps.files.remove(folder, stored_name)]);
    throw error;
  }
}

export async function listAll(db: Db): Promise<SubscriberImport[]> {
  return (await store.listImports(db, SHOWN)).map(importOf);
}

/** @throws {Refusal} 404 */
export async function get(db: Db | Tx, id: Id): Promise<SubscriberImport> {
  const row = await store.findImport(db, id);
  if (row === undefined) throw notFound();
  return importOf(row);
}

/** Twice is no error. @throws {Refusal} 404; 409 `import_not_ready`; 422 on `consented_on` */
export function start(
  deps: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  actor: Actor,
  origin: Origin,
  id: Id,
  { consent, consented_on }: BodyOf<typeof startSubscriberImport>,
): Promise<SubscriberImport> {
  if (consented_on > deps.clock().toISOString().slice(0, 10)) {
    throw invalid({ consented_on: 'The day must not lie ahead.' });
  }
  return transaction(deps.db, async (tx) => {
    const row = await lock(tx, id);
    if (row.state === 'writing' || row.state === 'done') return importOf(row);
    if (row.state !== 'ready') throw notReady();
    await store.updateImport(tx, id, {
      state: 'writing',
      consent: consent.trim(),
      consented_on,
      // Who confirms answers for it, whoever brought the file.
      created_by: actor.id,
      created_by_name: actor.name,
      added: 0,
      known: 0,
      left_before: row.marked,
    });
    await deps.jobs.enqueue(tx, SUBSCRIBER_IMPORTS, { id }, { key: id });
    await tell(tx, actor, origin, 'newsletter.import_started', id, { consent, consented_on });
    return get(tx, id);
  });
}

/** @throws {Refusal} 404; 409 `import_not_ready` while it is written, or was */
export function drop(deps: ForgetDeps, actor: Actor, origin: Origin, id: Id): Promise<void> {
  return forget(deps, id, async (tx, row) => {
    if (row.state !== 'ready' && row.state !== 'failed') throw notReady();
    await tell(tx, actor, origin, 'newsletter.import_dropped', id);
    return true;
  });
}

type ForgetDeps = Pick<Deps, 'db' | 'files'>;

/** What was never decided on, or never read to its end; answers how many. */
export async function forgetUndecided(deps: ForgetDeps, now: Date): Promise<number> {
  const ids = await store.listUndecided(deps.db, new Date(now.getTime() - UNDECIDED_DAYS * DAY));
  for (const id of ids) {
    // Somebody may have decided since it was listed.
    await forget(deps, id, async (_tx, { state }) => state === 'ready' || state === 'reading');
  }
  return ids.length;
}

/** The addresses, wherever they lie, of a list that `may` be forgotten as it stands. */
async function forget(
  { db, files }: ForgetDeps,
  id: Id,
  may: (tx: Tx, row: store.ImportRow) => Promise<boolean>,
): Promise<void> {
  const name = await transaction(db, async (tx) => {
    const row = await lock(tx, id);
    if (!(await may(tx, row))) return null;
    await store.deleteRows(tx, id);
    const nothing = { faults: [], unknown_words: [], stored_name: null };
    await store.updateImport(tx, id, { ...nothing, state: 'dropped' });
    return row.stored_name;
  });
  if (name !== null) await files.remove(folder, name);
}

/** Files that no list waits to be read from: of an upload, or a reading, that was interrupted. */
export function sweepFiles(deps: Pick<Deps, 'db' | 'files' | 'clock'>): Promise<number> {
  return deleteOrphans(deps, folder, (names) => store.unreadNames(deps.db, names));
}

/** The job of one import, for whichever of its two halves it stands before. */
export async function workOnImport(deps: Deps, id: Id): Promise<void> {
  const row = await store.findImport(deps.db, id);
  if (row?.state === 'reading') await readFile(deps, row);
  if (row?.state === 'writing') await writeAll(deps, id);
}

async function writeAll(deps: Deps, id: Id): Promise<void> {
  for (;;) {
    const goesOn = await transaction(deps.db, async (tx) => {
      const row = await lock(tx, id);
      if (row.state !== 'writing') return false;
      const plan = { importId: id, line: row.written_line, limit: BATCH, now: deps.clock() };
      const done = await store.writeRows(tx, plan);
      if (done === null) {
        await store.deleteRows(tx, id);
        await store.updateImport(tx, id, { state: 'done', done_at: deps.clock() });
        await tell(tx, 'system', null, 'newsletter.imported', id, { added: row.added });
        return false;
      }
      await store.updateImport(tx, id, {
        written_line: done.line,
        added: row.added + done.added,
        known: row.known + done.known,
        left_before: row.left_before + done.left_before,
      });
      return true;
    });
    if (!goesOn) return;
  }
}

async function lock(tx: Tx, id: Id): Promise<store.ImportRow> {
  const row = await store.lockImport(tx, id);
  if (row === undefined) throw notFound();
  return row;
}

function notReady(): Refusal {
  return new Refusal(409, 'import_not_ready', 'The list is not waiting to be decided on.');
}

function importOf(row: store.ImportRow): SubscriberImport {
  const { id, name, state, lines, added, known, repeated, faults, fault, marked } = row;
  const { not_understood, address_column, locale_column, state_columns } = row;
  const isLanguage = ({ column }: { readonly column: string }) => column === locale_column;
  // The row has both in one figure; while the file is read it has neither yet.
  const left_before = Math.max(0, row.left_before - marked);
  const judged = added + known + left_before;
  const whole = Math.max(1, lines - row.invalid - marked - repeated - not_understood);
  const share = { reading: row.read_bytes / Math.max(1, row.size_bytes), writing: judged / whole };
  return {
    id,
    name,
    state,
    progress: state === 'reading' || state === 'writing' ? Math.min(1, share[state]) : 1,
    lines,
    added,
    known,
    left_before,
    left_in_file: marked,
    not_understood,
    unknown_words: row.unknown_words.filter((word) => !isLanguage(word)),
    unknown_languages: row.unknown_words.filter(isLanguage),
    address_column,
    locale_column,
    state_columns,
    repeated,
    invalid: row.invalid,
    faults,
    fault,
    consent: row.consent,
    consented_on: row.consented_on,
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    done_at: row.done_at?.toISOString() ?? null,
  };
}

async function tell(
  tx: Tx,
  actor: Actor | 'system',
  origin: Origin | null,
  action: string,
  id: Id,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const about = { subject_kind: 'subscriber_import', subject_id: id, data };
  await record(tx, { actor, origin, action, ...about });
}
