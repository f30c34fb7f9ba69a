import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figuresOf, PAGE_ROWS } from './figures.ts';

const points = Array.from({ length: 201 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 10, 1, index)).toISOString(),
  rate: `0.${index + 100}`,
  source: 'fixer',
  as_of: new Date(Date.UTC(2026, 10, 1, index)).toISOString(),
}));
const of = (asked: string | null, count = 201) =>
  figuresOf({ pair: 'usd-to-eur', range: 'week', points: points.slice(0, count) }, asked);

describe('the table of a chart', () => {
  it('has all figures, newest first, each on one page', () => {
    const seen: string[] = [];
    let [page, next] = [of(null), 1];
    assert.equal(page.open, false);
    for (;;) {
      seen.push(...page.rows.map(({ rate }) => rate));
      if (page.older === null) break;
      next += 1;
      assert.equal(page.older, `/rates/usd-to-eur?range=week&figures=${next}#figures`);
      page = of(String(next));
    }
    assert.deepEqual(seen, points.map(({ rate }) => rate).toReversed());
    assert.deepEqual([page.first, page.last, page.total, page.open], [201, 201, 201, true]);
    assert.equal(page.newer, '/rates/usd-to-eur?range=week&figures=8#figures');
  });

  it('shows the nearest page for a page that does not exist', () => {
    assert.equal(of('999').first, 201);
    for (const odd of ['0', '-1', '1.5', 'x', '', '9'.repeat(30)]) assert.equal(of(odd).first, 1);
  });

  it('has no pages where one is enough', () => {
    for (const count of [1, PAGE_ROWS]) {
      const { newer, older, last } = of(null, count);
      assert.deepEqual([newer, older, last], [null, null, count]);
    }
    assert.notEqual(of(null, PAGE_ROWS + 1).older, null);
  });
});
