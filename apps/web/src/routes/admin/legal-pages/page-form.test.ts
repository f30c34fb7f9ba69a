import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/stand-in.ts';

standIn({ '#lib/paraglide/runtime.js': "export const getLocale = () => 'en'" });
standInMessages();
const { draftDiff, pageDiff } = await import('./page-form.ts');
const { saysTheSame } = await import('./[id]/publishing.ts');

const version = {
  title: 'Terms',
  summary: '',
  body: '<p>All.</p>',
  change: 'The fee.',
  effective_on: '2026-03-10',
};
/** What a publication leaves. */
const draft = { ...version, change: '', effective_on: null };

describe('what differs from a version', () => {
  it('is what publishing would tell: its day too, unless that is left open', () => {
    for (const [change, fields] of [
      [{}, []],
      [{ change: 'Nothing yet.' }, []],
      [{ effective_on: version.effective_on }, []],
      [{ effective_on: '2026-04-01' }, ['effective_on']],
      [{ title: 'Rules', body: '<p>Some.</p>' }, ['title', 'body']],
    ] as const) {
      const written = { ...draft, ...change };
      const found = pageDiff(version, written);
      assert.deepEqual(
        found.map(({ field }) => field),
        fields,
      );
      assert.equal(saysTheSame(written, version), found.length === 0);
    }
  });

  it('is what a comparison shows of the text: of its blanks those of code', () => {
    const version = {
      ...draft,
      body: '<p>All of it.</p><p>b<br />c</p><pre><code>d e</code></pre>',
    };
    for (const [from, to, isShown] of [
      ['All of', 'All  of', false],
      ['</p><p>', '</p>\n<p>', false],
      ['it.</p>', 'it. </p>', false],
      ['<br />c', '<br /> c', false],
      ['<br />', '<br>', false],
      ['d e', 'd  e', true],
      ['All of', 'All&nbsp;of', true],
      ['All of', '<u>All</u> of', true],
    ] as const) {
      const written = { ...draft, body: version.body.replace(from, to) };
      assert.equal(pageDiff(version, written).length > 0, isShown, to);
      assert.equal(saysTheSame(written, version), !isShown, to);
    }
  });

  it('has the day in words', () => {
    const [day] = pageDiff(version, { ...draft, effective_on: '2026-04-10' });
    assert.deepEqual(
      day?.parts.map(({ kind, text }) => `${kind}: ${text}`),
      ['removed: March 10, 2026', 'added: April 10, 2026'],
    );
  });
});

it('two working copies differ in their note, and in a day that one leaves open', () => {
  const kept = { ...draft, change: 'The fee.', effective_on: '2026-04-01' };
  assert.deepEqual(
    draftDiff(kept, draft).map(({ field }) => field),
    ['change', 'effective_on'],
  );
  assert.deepEqual(draftDiff(draft, draft), []);
});
