/** What is typed outside of any browser: its state is plain here, and effects run when they are told to. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

const same = <Value>(value: Value): Value => value;
let effects: (() => void)[] = [];
Object.assign(globalThis, {
  $state: Object.assign(same, { raw: same, snapshot: structuredClone }),
  $effect: (run: () => void) => effects.push(run),
});
standIn({
  svelte: `export const onMount = (run) => run(), tick = async () => {}`,
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/navigation': 'export const beforeNavigate = () => {}',
});
const { StayingEditing } = await import('./staying-editing.svelte.ts');

interface Form {
  name: string;
  note: string;
  rows: { row: number; label: string }[];
}

const first: Form = { name: 'Dollar', note: '', rows: [{ row: 1, label: 'Bank' }] };
const kept: Form = { name: 'Kept', note: 'A long note', rows: [{ row: 2, label: 'Kept bank' }] };

/** A form that was kept at version 1, and into which `typed` came before the script. */
function attended(version: number, typed: Partial<Form>) {
  sessionStorage.setItem('form', JSON.stringify({ version: 1, draft: kept }));
  const editing = new StayingEditing<Form>(first, {
    name: 'form',
    version: () => version,
    revive: same,
  });
  editing.draft = { ...first, ...typed };
  editing.attend();
  for (const run of effects) run();
  return editing;
}
const keptNow = () => JSON.parse(sessionStorage.getItem('form') ?? 'null') as unknown;

describe('what was kept', () => {
  beforeEach(() => {
    effects = [];
    sessionStorage.clear();
  });

  it('comes back as it was', () => {
    const editing = attended(1, {});
    assert.deepEqual(editing.draft, kept);
    assert.deepEqual([editing.isBack, editing.isGone], [true, false]);
  });

  it('comes back under what is typed before the script, and stays kept', () => {
    const editing = attended(1, { name: 'Typed early' });
    assert.deepEqual(editing.draft, { ...kept, name: 'Typed early' });
    assert.deepEqual([editing.isBack, editing.isGone], [true, false]);
    assert.deepEqual(keptNow(), { version: 1, draft: editing.draft });
    const rows = [{ row: 1, label: 'Typed bank' }];
    assert.deepEqual(attended(1, { rows }).draft, { ...kept, rows });
    editing.throwAway();
    assert.deepEqual(editing.draft, first);
  });

  it('of another version is not mixed with what is typed now, and that is said', () => {
    const editing = attended(2, { name: 'Typed early' });
    assert.deepEqual(editing.draft, { ...first, name: 'Typed early' });
    assert.deepEqual([editing.isBack, editing.isGone], [false, true]);
    assert.deepEqual(keptNow(), { version: 2, draft: editing.draft });
  });
});
