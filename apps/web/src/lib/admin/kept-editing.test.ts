/** What is typed outside of any browser: its state is plain here, and a component is there at once. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/stand-in.ts';
import { lineLeaves } from './comparison.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, {
  $state: Object.assign(same, { raw: same, snapshot: structuredClone }),
  $effect: () => undefined,
});
standIn({
  svelte: `export const onMount = (run) => run(), untrack = (run) => run(), tick = async () => {}`,
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/navigation': 'export const beforeNavigate = () => {}',
});
standInMessages();
const { KeptEditing } = await import('./kept-editing.svelte.ts');

interface Form {
  title: string;
  body: string;
}

const first: Form = { title: 'Terms', body: 'Old' };
const savedAs = (version: number, draft: Form) => {
  return { draft, version, by: 'Lea Law', isOwn: false, at: null };
};
const editingOf = (version: number, draft: Form) =>
  new KeptEditing<Form>(savedAs(version, draft), {
    name: 'form',
    leaves: lineLeaves<Form>({ title: 'Title', body: 'Text' }),
    revive: (kept) => kept as Form,
    fetch: () => Promise.resolve(savedAs(version, draft)),
  });

describe('a draft that somebody else has saved meanwhile', () => {
  it('takes no side that was chosen of what is no longer saved', () => {
    const editing = editingOf(1, first);
    editing.draft = { title: 'Mine', body: 'Mine' };
    editing.meet(savedAs(2, { title: 'Terms', body: 'Second' }));
    const sides = { title: 'mine', body: 'theirs' } as const;
    editing.meet(savedAs(3, { title: 'Third', body: 'Third' }));
    assert.equal(editing.choose(sides, 2), false);
    assert.deepEqual([editing.draft.body, editing.version], ['Mine', 1]);
    assert.equal(editing.choose(sides, 3), true);
    assert.deepEqual(editing.draft, { title: 'Mine', body: 'Third' });
    assert.deepEqual([editing.version, editing.theirs], [3, null]);
  });
});

describe('what was kept', () => {
  const keep = (version: number, initial: Form, draft: Form) =>
    sessionStorage.setItem('form', JSON.stringify({ version, initial, draft }));
  beforeEach(() => sessionStorage.clear());

  it('comes back under what is typed before the script', () => {
    keep(1, first, { title: 'Kept', body: 'Kept' });
    const editing = editingOf(1, first);
    editing.draft = { ...first, title: 'Typed early' };
    editing.attend();
    assert.deepEqual(editing.draft, { title: 'Typed early', body: 'Kept' });
    assert.ok(editing.isBack);
    assert.deepEqual(editing.unsaved, ['Title', 'Text']);
    editing.throwAway();
    assert.deepEqual(editing.draft, first);
  });

  it('is of the version that it was begun with, and a refusal stays', () => {
    keep(1, first, { ...first, body: 'Kept' });
    const later = { title: 'Later', body: 'Later' };
    const editing = editingOf(2, later);
    editing.draft = { ...later, title: 'Typed early' };
    editing.refused(
      { status: 409, code: 'version_conflict', message: '', errors: {}, request_id: null },
      {},
      savedAs(2, later),
    );
    editing.attend();
    assert.deepEqual(editing.draft, { title: 'Typed early', body: 'Kept' });
    assert.deepEqual([editing.version, editing.theirs?.version], [1, 2]);
    assert.deepEqual(
      editing.compared().map(({ path, by }) => [path, by]),
      [
        ['title', 'both'],
        ['body', 'both'],
      ],
    );
  });

  it('does not come back where it was saved', () => {
    keep(1, first, { ...first, body: 'Kept' });
    const editing = editingOf(2, { ...first, body: 'Kept' });
    editing.attend();
    assert.ok(!editing.isBack && !editing.changed);
    assert.equal(editing.version, 2);
  });
});
