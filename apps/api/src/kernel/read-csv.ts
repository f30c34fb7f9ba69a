/**
 * Reads a spreadsheet file (RFC 4180) as it comes, in memory for one line only:
 * commas, semicolons or tabs, whichever its first line has most of; quotes, line
 * breaks within them, and a byte order mark.
 */

export interface CsvRow {
  /** Of the line that it begins on, counted from 1 as an editor counts. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** More is no list of people: an unclosed quote would read the whole file as one cell. */
const LONGEST_ROW = 20_000;

/** @throws {UnreadableCsv} for bytes that are no UTF-8, and a row without end. */
export async function* readCsv(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const state = newState();
  for await (const text of decoded(source)) yield* take(state, text);
  yield* take(state, '\n');
  if (state.quoted) throw new UnreadableCsv('unclosed_quote', state.quoteLine);
}

export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
  readonly why: 'not_utf8' | 'unclosed_quote' | 'endless_line';
  /** Where it is known: of the quote, or of the row. */
  readonly line: number | null;

  constructor(why: UnreadableCsv['why'], line: number | null) {
    super(line === null ? why : `${why} in line ${line}`);
    this.why = why;
    this.line = line;
  }
}

async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableCsv('not_utf8', null);
    throw error;
  }
}

interface State {
  delimiter: string | null;
  /** What is read of the first line, until its delimiter is known. */
  first: string;
  cells: string[];
  cell: string;
  size: number;
  quoted: boolean;
  /** On which the last quotes were opened. */
  quoteLine: number;
  /** A quote within quotes: the end of the cell, or half of a quote. */
  closing: boolean;
  line: number;
  beginning: number;
}

function newState(): State {
  return {
    delimiter: null,
    first: '',
    cells: [],
    cell: '',
    size: 0,
    quoted: false,
    quoteLine: 1,
    closing: false,
    line: 1,
    beginning: 1,
  };
}

function* take(state: State, text: string): Generator<CsvRow> {
  let rest = text;
  if (state.delimiter === null) {
    state.first += text;
    if (!state.first.includes('\n') && state.first.length < LONGEST_ROW && text !== '\n') return;
    rest = state.first;
    state.delimiter = delimiterOf(rest);
  }
  for (const character of rest) {
    const row = step(state, character);
    if (row !== null) yield row;
  }
}

function delimiterOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].map((each) => ({ each, count: line.split(each).length }));
  return counted.reduce((most, next) => (next.count > most.count ? next : most)).each;
}

function step(state: State, character: string): CsvRow | null {
  state.size += 1;
  if (state.size > LONGEST_ROW) throw endless(state);
  if (state.quoted && !(state.closing && character !== '"')) {
    inQuotes(state, character);
    return null;
  }
  state.quoted = false;
  state.closing = false;
  if (character === '"' && state.cell === '') openQuote(state);
  else if (character === state.delimiter) endCell(state);
  else if (character === '\n') return endRow(state);
  else if (character !== '\r') state.cell += character;
  return null;
}

function endless({ quoted, quoteLine, beginning }: State): UnreadableCsv {
  return quoted
    ? new UnreadableCsv('unclosed_quote', quoteLine)
    : new UnreadableCsv('endless_line', beginning);
}

function openQuote(state: State): void {
  state.quoted = true;
  state.quoteLine = state.line;
}

function inQuotes(state: State, character: string): void {
  if (character === '\n') state.line += 1;
  if (character !== '"') state.cell += character;
  else if (state.closing) state.cell += '"';
  state.closing = character === '"' && !state.closing;
}

function endCell(state: State): void {
  state.cells.push(state.cell);
  state.cell = '';
}

function endRow(state: State): CsvRow | null {
  endCell(state);
  const row = { line: state.beginning, cells: state.cells };
  state.cells = [];
  state.size = 0;
  state.line += 1;
  state.beginning = state.line;
  return row.cells.some((cell) => cell.trim() !== '') ? row : null;
}
