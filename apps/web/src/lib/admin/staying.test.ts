import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptOf, survivesAt } from './staying.ts';

describe('what was kept of a draft', () => {
  const like = { name: 'Dollar', active: true };

  it('is put back where its fields are those of now', () => {
    const draft = { active: false, name: 'US dollar' };
    assert.deepEqual(keptOf({ version: 3, draft }, like), { version: 3, draft });
  });

  it('is nothing where nothing, or something of an earlier form, was kept', () => {
    for (const kept of [null, 'x', {}, { version: 3 }, { version: 3, draft: { name: 'Dollar' } }])
      assert.equal(keptOf(kept, like), null);
    assert.equal(keptOf({ version: '3', draft: like }, like), null);
  });
});

describe('what is typed', () => {
  const here = { pathname: '/admin/currencies/usd', search: '?x=1' };
  const goes = (path: string, isKept: boolean) =>
    survivesAt(here, new URL(path, 'https://desk.test'), isKept);

  it('outlives a sign-in that leads back, where it is kept, and its own page', () => {
    const back = `/signin?next=${encodeURIComponent('/admin/currencies/usd?x=1')}`;
    assert.equal(goes(back, true), true);
    assert.equal(goes(back, false), false);
    assert.equal(goes('/admin/currencies/usd', false), true);
    for (const path of ['/signin', '/signin?next=/admin', '/admin'])
      assert.equal(goes(path, true), false, path);
  });
});
