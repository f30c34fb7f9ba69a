/** Reads the file of an import into rows of the database, in memory for a thousand of them only. */
import type { SubscriberImport } from '@cambist/contract/subscriber-imports';
import type { Id } from '#kernel/id.ts';
import { readCsv, UnreadableCsv, type CsvRow } from '#kernel/read-csv.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { SubscriberImportRowsTable } from '#platform/tables.generated.ts';
import { columnsOf, type Columns } from './import-columns.ts';
import { judge } from './import-rows.ts';
import * as store from './import-store.ts';
import { noted } from './import-words.ts';
import { emailHash } from './forgetting.ts';

/** Under DATA_DIR. */
export const folder = 'private/imports';
const BATCH = 1000;
/** So many of the faults are told by their lines. */
const FAULTS = 100;
/** So many rows show which column holds what. */
const SAMPLE = 200;
/** So many words that are not understood are told apart. */
const WORDS = 50;
const LONGEST_WORD = 60;

/** What writing all of it would do stands in its row afterwards. */
export async function readFile(deps: Deps, { id, stored_name }: store.ImportRow): Promise<void> {
  const file = stored_name === null ? null : await deps.files.open(folder, stored_name);
  // Whatever an earlier attempt has read is read again.
  await transaction(deps.db, (tx) => store.deleteRows(tx, id));
  if (file === null) return fail(deps, id, 'interrupted');
  try {
    const reading = newReading();
    for await (const row of readCsv(counted(file.stream, reading))) {
      reading.rows.push(row);
      if (reading.columns === null && reading.rows.length < SAMPLE) continue;
      if (!noteAll(deps, id, reading)) return await fail(deps, id, 'no_address_column');
      if (reading.batch.length >= BATCH) await flush(deps, id, reading);
    }
    if (!noteAll(deps, id, reading)) return await fail(deps, id, 'no_address_column');
    await flush(deps, id, reading);
    await transaction(deps.db, async (tx) => {
      const found = await store.judgeRows(tx, id);
      const left_before = found.left_before + reading.marked;
      await store.updateImport(tx, id, { ...found, left_before, state: 'ready' });
    });
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    await fail(deps, id, error.why, error.line);
  } finally {
    file.stream.destroy();
  }
  await discardFile(deps, id, stored_name);
}

/** Whether there is nothing in it, or only headings. What cannot be read is told where it is read. */
export async function isEmpty({ files }: Pick<Deps, 'files'>, name: string): Promise<boolean> {
  const file = await files.open(folder, name);
  if (file === null) return false;
  const rows: CsvRow[] = [];
  try {
    for await (const row of readCsv(file.stream)) if (rows.push(row) === 2) return false;
  } catch (error) {
    if (error instanceof UnreadableCsv) return false;
    throw error;
  } finally {
    file.stream.destroy();
  }
  return rows.length === 0 || Boolean(columnsOf(rows)?.heading);
}

interface Reading {
  columns: Columns | null;
  /** Those that are not judged yet. */
  rows: CsvRow[];
  bytes: number;
  lines: number;
  marked: number;
  repeated: number;
  invalid: number;
  notUnderstood: number;
  /** By column and word. */
  unknown: Map<string, SubscriberImport['unknown_words'][number]>;
  /** How many lines, by what stands for their language. */
  languages: Map<string, number>;
  faults: SubscriberImport['faults'];
  batch: SubscriberImportRowsTable[];
}

function newReading(): Reading {
  const none = { bytes: 0, lines: 0, marked: 0, repeated: 0, invalid: 0 };
  const unknown: Reading['unknown'] = new Map();
  const languages: Reading['languages'] = new Map();
  const words = { notUnderstood: 0, unknown, languages };
  return { ...none, ...words, columns: null, rows: [], faults: [], batch: [] };
}

async function* counted(source: AsyncIterable<Uint8Array>, reading: Reading) {
  for await (const chunk of source) {
    reading.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** False where the first rows show that there are no addresses. */
function noteAll(deps: Deps, id: Id, reading: Reading): boolean {
  const rows = reading.rows.splice(0);
  if (reading.columns === null) {
    reading.columns = columnsOf(rows);
    if (reading.columns === null) return false;
    if (reading.columns.heading !== null) rows.shift();
  }
  for (const row of rows) note(deps, id, { reading, columns: reading.columns }, row);
  return true;
}

function note(
  { keys }: Deps,
  import_id: Id,
  { reading, columns }: { readonly reading: Reading; readonly columns: Columns },
  row: CsvRow,
): void {
  reading.lines += 1;
  const judged = judge(row, columns);
  if (judged.kind === 'left') reading.marked += 1;
  if (judged.kind === 'unknown') noteUnknown(reading, judged);
  if (judged.kind === 'invalid') {
    reading.invalid += 1;
    if (reading.faults.length < FAULTS)
      reading.faults.push({ line: row.line, text: noted(judged.text) });
  }
  if (judged.kind === 'address') {
    const { email, locale, unknownLanguage } = judged;
    if (unknownLanguage !== null) noteLanguage(reading, unknownLanguage);
    const email_hash = emailHash(keys, email);
    reading.batch.push({ import_id, line: row.line, email, locale, email_hash });
  }
}

function noteUnknown(reading: Reading, said: { readonly column: string; readonly word: string }) {
  reading.notUnderstood += 1;
  const column = noted(said.column.slice(0, LONGEST_WORD));
  const word = noted(said.word.slice(0, LONGEST_WORD));
  const key = JSON.stringify([column, word]);
  const known = reading.unknown.get(key);
  if (known) known.lines += 1;
  else if (reading.unknown.size < WORDS) reading.unknown.set(key, { column, word, lines: 1 });
}

function noteLanguage({ languages }: Reading, said: string): void {
  const word = noted(said.slice(0, LONGEST_WORD));
  // The rest is counted, without its words.
  const shown = languages.has(word) || languages.size < WORDS ? word : '';
  languages.set(shown, (languages.get(shown) ?? 0) + 1);
}

/** Those of the languages among them, known by their column. */
function wordsOf({ unknown, languages, columns }: Reading): SubscriberImport['unknown_words'] {
  const column = columns?.heading?.[columns.locale] ?? '';
  const unnamed = [...languages].map(([word, lines]) => ({ column, word, lines }));
  return [...unknown.values(), ...unnamed].toSorted((one, other) => other.lines - one.lines);
}

async function flush({ db }: Deps, id: Id, reading: Reading): Promise<void> {
  const { lines, marked, faults, batch, columns } = reading;
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
      not_understood: reading.notUnderstood,
      unknown_words: wordsOf(reading),
      address_column: columns?.heading?.[columns.email] ?? null,
      locale_column: columns?.heading?.[columns.locale] ?? null,
      state_columns: columns?.states.map(({ name }) => name) ?? [],
    });
  });
  reading.batch = [];
}

async function fail(
  deps: Deps,
  id: Id,
  fault: NonNullable<SubscriberImport['fault']>,
  line: number | null = null,
) {
  const faults = line === null ? [] : [{ line, text: '' }];
  await transaction(deps.db, async (tx) => {
    await store.deleteRows(tx, id);
    await store.updateImport(tx, id, { state: 'failed', fault, faults });
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
