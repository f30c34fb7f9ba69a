/**
 * The order of the queue while others work it too: rows come and go, and the
 * operator's place must not. Pure, so that it can be tested without a browser.
 */
export interface Numbered {
  readonly number: string;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Where the list goes on; null at its end. */
  readonly cursor: string | null;
}

/**
 * The list after its beginning was asked for again. `asked` is how many rows the
 * answer could hold: what was loaded beyond that stays as it was.
 */
export function afterRefresh<Row extends Numbered>(
  before: Listed<Row>,
  fresh: Listed<Row>,
  asked: number,
): Listed<Row> {
  if (fresh.cursor === null || before.rows.length <= asked) return fresh;
  const known = new Set(fresh.rows.map(({ number }) => number));
  const tail = before.rows.slice(asked).filter(({ number }) => !known.has(number));
  return tail.length === 0 ? fresh : { rows: [...fresh.rows, ...tail], cursor: before.cursor };
}

/** The list with one more page; a row that slid onto it is not shown twice. */
export function withMore<Row extends Numbered>(
  before: Listed<Row>,
  more: Listed<Row>,
): Listed<Row> {
  const known = new Set(before.rows.map(({ number }) => number));
  return {
    rows: [...before.rows, ...more.rows.filter(({ number }) => !known.has(number))],
    cursor: more.cursor,
  };
}

/**
 * The number one step on. An open exchange that has left the list keeps its
 * `place` there: next is the row that moved up into it.
 */
export function neighbour(
  rows: readonly Numbered[],
  open: string | null,
  place: number,
  step: 1 | -1,
): string | null {
  const at = rows.findIndex(({ number }) => number === open);
  if (at >= 0) return rows[at + step]?.number ?? null;
  if (open === null) return (step === 1 ? rows[0] : rows.at(-1))?.number ?? null;
  const gap = Math.min(place, rows.length);
  return (
    rows[step === 1 ? gap : gap - 1]?.number ?? (step === 1 ? rows.at(-1)?.number : null) ?? null
  );
}

/** Where the open exchange stands, or stood when it was last in the list. */
export function placeOf(rows: readonly Numbered[], open: string | null, before: number): number {
  const at = rows.findIndex(({ number }) => number === open);
  return at >= 0 ? at : before;
}
