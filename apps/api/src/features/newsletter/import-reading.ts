/** Reads the file of an import into rows of the database, in memory for a thousand of them only. */
import type { SubscriberImport } from '@cambist/contract/subscriber-imports';
import type { Id } from '#kernel/id.ts';
import { readCsv, UnreadableCsv, type CsvRow } from '#kernel/read-csv.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { ImportRowsTable } from '#platform/newsletter-tables.ts';
import { columnsOf, judge, type Columns } from './import-rows.ts';
import * as store from './import-store.ts';
import { emailHash } from './newsletter.ts';

/** Under DATA_DIR. */
export const folder = 'private/imports';
const BATCH = 1000;
/** So many of the faults are told by their lines. */
const FAULTS = 100;

/** What writing all of it would do stands in its row afterwards. */
export async function readFile(deps: Deps, { id, stored_name }: store.ImportRow): Promise<void> {
  const file = stored_name === null ? null : await deps.files.open(folder, stored_name);
  // Whatever an earlier attempt has read is read again.
  await transaction(deps.db, (tx) => store.deleteRows(tx, id));
  if (file === null) return fail(deps, id, 'interrupted');
  try {
    const reading = newReading();
    for await (const row of readCsv(counted(file.stream, reading))) {
      if (!note(deps, id, reading, row)) return await fail(deps, id, 'no_address_column');
      if (reading.batch.length >= BATCH) await flush(deps, id, reading);
    }
    await flush(deps, id, reading);
    await transaction(deps.db, async (tx) => {
      const found = await store.judgeRows(tx, id);
      const left_before = found.left_before + reading.marked;
      await store.updateImport(tx, id, { ...found, left_before, state: 'ready' });
    });
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    await fail(deps, id, 'unreadable');
  } finally {
    file.stream.destroy();
  }
  await discardFile(deps, id, stored_name);
}

interface Reading {
  columns: Columns | null;
  bytes: number;
  lines: number;
  marked: number;
  repeated: number;
  invalid: number;
  faults: SubscriberImport['faults'];
  batch: ImportRowsTable[];
}

function newReading(): Reading {
  const none = { bytes: 0, lines: 0, marked: 0, repeated: 0, invalid: 0 };
  return { ...none, columns: null, faults: [], batch: [] };
}

async function* counted(source: AsyncIterable<Uint8Array>, reading: Reading) {
  for await (const chunk of source) {
    reading.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** False where the first row shows that there are no addresses. */
function note({ keys }: Deps, import_id: Id, reading: Reading, row: CsvRow): boolean {
  if (reading.columns === null) {
    reading.columns = columnsOf(row);
    if (reading.columns === null) return false;
    if (reading.columns.named) return true;
  }
  reading.lines += 1;
  const judged = judge(row, reading.columns);
  if (judged.kind === 'left') reading.marked += 1;
  if (judged.kind === 'invalid') {
    reading.invalid += 1;
    if (reading.faults.length < FAULTS) reading.faults.push({ line: row.line, text: judged.text });
  }
  if (judged.kind === 'address') {
    const { email, locale } = judged;
    const email_hash = emailHash(keys, email);
    reading.batch.push({ import_id, line: row.line, email, locale, email_hash });
  }
  return true;
}

async function flush({ db }: Deps, id: Id, reading: Reading): Promise<void> {
  const { lines, marked, faults, batch } = reading;
  await transaction(db, async (tx) => {
    const fresh = await store.insertRows(tx, batch);
    reading.repeated += batch.length - fresh;
    await store.updateImport(tx, id, {
      read_bytes: reading.bytes,
      lines,
      marked,
      repeated: reading.repeated,
      invalid: reading.invalid,
      faults,
    });
  });
  reading.batch = [];
}

async function fail(deps: Deps, id: Id, fault: NonNullable<SubscriberImport['fault']>) {
  await transaction(deps.db, async (tx) => {
    await store.deleteRows(tx, id);
    await store.updateImport(tx, id, { state: 'failed', fault });
  });
  const row = await store.findImport(deps.db, id);
  await discardFile(deps, id, row?.stored_name ?? null);
}

/** The addresses lie in the database by now, or are of no use. */
async function discardFile({ db, files }: Deps, id: Id, name: string | null): Promise<void> {
  if (name === null) return;
  await files.remove(folder, name);
  await store.updateImport(db, id, { stored_name: null });
}
