import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterRefresh, neighbour, placeOf, withMore } from './queue-order.ts';

const rows = (...numbers: string[]) => numbers.map((number) => ({ number }));
const numbers = (list: { rows: readonly { number: string }[] }) =>
  list.rows.map(({ number }) => number);

describe('afterRefresh', () => {
  it('takes the fresh list when it covers what was loaded', () => {
    const after = afterRefresh(
      { rows: rows('a', 'b'), cursor: null },
      { rows: rows('b', 'c'), cursor: 'x' },
      2,
    );
    assert.deepEqual(numbers(after), ['b', 'c']);
    assert.equal(after.cursor, 'x');
  });

  it('keeps the pages loaded further on, and where they end', () => {
    const after = afterRefresh(
      { rows: rows('a', 'b', 'c', 'd'), cursor: 'end' },
      { rows: rows('b', 'c'), cursor: 'middle' },
      2,
    );
    assert.deepEqual(numbers(after), ['b', 'c', 'd']);
    assert.equal(after.cursor, 'end');
  });

  it('drops them when the list has become shorter than the answer', () => {
    const after = afterRefresh(
      { rows: rows('a', 'b', 'c'), cursor: 'end' },
      { rows: rows('c'), cursor: null },
      2,
    );
    assert.deepEqual(numbers(after), ['c']);
    assert.equal(after.cursor, null);
  });
});

describe('withMore', () => {
  it('adds a page without showing a row twice', () => {
    const after = withMore(
      { rows: rows('a', 'b'), cursor: 'x' },
      { rows: rows('b', 'c'), cursor: null },
    );
    assert.deepEqual(numbers(after), ['a', 'b', 'c']);
    assert.equal(after.cursor, null);
  });
});

describe('neighbour', () => {
  const list = rows('a', 'b', 'c');
  it('goes on and back, and stops at the ends', () => {
    assert.equal(neighbour(list, 'b', 1, 1), 'c');
    assert.equal(neighbour(list, 'b', 1, -1), 'a');
    assert.equal(neighbour(list, 'c', 2, 1), null);
    assert.equal(neighbour(list, 'a', 0, -1), null);
  });

  it('begins at the near end when nothing is open', () => {
    assert.equal(neighbour(list, null, 0, 1), 'a');
    assert.equal(neighbour(list, null, 0, -1), 'c');
    assert.equal(neighbour([], null, 0, 1), null);
  });

  it('goes on from the gap that a decided exchange left', () => {
    assert.equal(neighbour(rows('a', 'c', 'd'), 'b', 1, 1), 'c');
    assert.equal(neighbour(rows('a', 'c', 'd'), 'b', 1, -1), 'a');
  });

  it('finds the last row when the gap was at the end, and nothing before the first', () => {
    assert.equal(neighbour(rows('a', 'b'), 'c', 2, 1), 'b');
    assert.equal(neighbour(rows('b', 'c'), 'a', 0, -1), null);
  });
});

describe('placeOf', () => {
  it('remembers the place of what has left the list', () => {
    assert.equal(placeOf(rows('a', 'b'), 'b', 0), 1);
    assert.equal(placeOf(rows('a', 'c'), 'b', 1), 1);
  });
});
