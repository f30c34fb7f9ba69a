/** Reads a CSV of subscribers, and says of each line whether it can be added. Pure. */
import { CsvError, parse } from 'csv-parse/sync';
import { domainToASCII } from 'node:url';
import type { ImportColumns, SkipReason } from '@cambist/contract/subscriber-imports';
import { invalid } from '#kernel/refusal.ts';
import { isMailAddress } from '../../mail-server.ts';

interface Line {
  /** As an editor counts. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface ImportFile {
  readonly headings: readonly string[];
  readonly lines: readonly Line[];
}

export interface Candidate {
  readonly line: number;
  readonly email: string;
  readonly language: string;
}

export interface Skip {
  readonly reason: SkipReason;
  readonly line: number;
  readonly text: string;
}

/** A longer record is an unclosed quote. */
const MAX_RECORD_CHARACTERS = 20_000;
const HEADINGS = {
  email: /^e-?mail( address)?$/i,
  language: /^(language|locale)$/i,
  consent: /^consent$/i,
};
const CONSENT = /^(yes|y|true|1|x|ok|agreed|granted|subscribed|confirmed|opt(ed)?[- ]?in)$/i;
const LANGUAGE = /^[a-z]{2}(-[A-Z]{2})?$/;

/** @throws {Refusal} 422 on `csv` with the line where it cannot be read */
export function parseFile(csv: string): ImportFile {
  const [first, ...rest] = readLines(csv);
  const isHeaded = first !== undefined && !first.cells.some((cell) => addressOf(cell) !== null);
  const lines = first === undefined || isHeaded ? rest : [first, ...rest];
  if (first === undefined || lines.length === 0) {
    throw invalid({ csv: 'The file holds no addresses.' });
  }
  const headings = isHeaded ? first.cells : first.cells.map((_, at) => `Column ${at + 1}`);
  return { headings, lines };
}

function readLines(csv: string): Line[] {
  try {
    const records = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      info: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { info: { lines: number }; record: string[] }[];
    return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    throw invalid({ csv: `The file cannot be read at line ${line}: check its quotes.` });
  }
}

/** The one that the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].map((each) => ({ each, count: line.split(each).length }));
  return counted.reduce((most, next) => (next.count > most.count ? next : most)).each;
}

/** The columns with the documented headings; a file of one column is a list of addresses. */
export function namedColumns({ headings }: ImportFile): {
  email: number | null;
  language: number | null;
  consent: number | null;
} {
  const find = (pattern: RegExp) => {
    const at = headings.findIndex((heading) => pattern.test(heading));
    return at === -1 ? null : at;
  };
  const email = find(HEADINGS.email) ?? (headings.length === 1 ? 0 : null);
  return { email, language: find(HEADINGS.language), consent: find(HEADINGS.consent) };
}

/** What the file itself says; which addresses are known is the database's business. */
export function readCandidates(
  { lines }: ImportFile,
  columns: ImportColumns,
): { candidates: Candidate[]; skipped: Skip[] } {
  const candidates = new Map<string, Candidate>();
  const skipped: Skip[] = [];
  for (const { line, cells } of lines) {
    // Our own export puts an apostrophe before what a spreadsheet would run.
    const typed = (cells[columns.email] ?? '').replace(/^'(?=[=+\-@])/, '');
    const email = addressOf(typed);
    const reason = skipReasonOf(email, cells, columns, candidates);
    if (email === null || reason !== null) {
      skipped.push({ reason: reason ?? 'invalid_address', line, text: typed.slice(0, 100) });
      continue;
    }
    const language = columns.language === null ? '' : (cells[columns.language] ?? '');
    candidates.set(email.toLowerCase(), {
      line,
      email,
      language: LANGUAGE.test(language) ? language : 'en',
    });
  }
  return { candidates: [...candidates.values()], skipped };
}

function skipReasonOf(
  email: string | null,
  cells: readonly string[],
  { consent }: ImportColumns,
  earlier: ReadonlyMap<string, Candidate>,
): SkipReason | null {
  if (email === null) return 'invalid_address';
  if (consent !== null && !CONSENT.test(cells[consent] ?? '')) return 'no_consent';
  return earlier.has(email.toLowerCase()) ? 'repeated' : null;
}

/** As a mail server takes it; a host in other scripts becomes what a browser sends of it. */
function addressOf(text: string): string | null {
  if (!isMailAddress(text)) return null;
  const address = text.replace(/(?<=@)(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u, (host) =>
    domainToASCII(host),
  );
  const isTaken = /^[\x21-\x7e]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(address);
  return isTaken && address.length <= 254 ? address : null;
}
