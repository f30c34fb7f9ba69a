import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

standIn({ '#lib/paraglide/runtime.js': "export const getLocale = () => 'en'" });
standInMessages();
const { formOf, pageDiff, restoredForm } = await import('./page-form.ts');

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
    }
  });

  it('has the day in words', () => {
    const [day] = pageDiff(version, { ...draft, effective_on: '2026-04-10' });
    assert.deepEqual(
      day?.parts.map(({ kind, text }) => `${kind}: ${text}`),
      ['removed: March', 'added: April', 'same:  10, 2026'],
    );
  });
});

it('a restored form keeps the saved value of a field that the copy lacks', () => {
  const saved = formOf({ ...draft, title: 'Saved' });
  const restored = restoredForm(saved, { body: '<p>Typed.</p>', unknown: 'x', title: 1 });
  assert.deepEqual(restored, { ...saved, body: '<p>Typed.</p>' });
});
