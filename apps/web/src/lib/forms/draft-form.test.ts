/** Outside of a browser: runes are plain values here, and effects run when a test says so. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

interface Leave {
  from: { url: URL };
  to: { url: URL } | null;
  willUnload: boolean;
  cancel: () => void;
}
const page = {
  effects: [] as (() => void)[],
  leave: null as ((navigation: Leave) => void) | null,
  went: [] as URL[],
};
let says = true;
const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, {
  page,
  $state: Object.assign(same, { raw: same, snapshot: structuredClone }),
  $effect: (run: () => void) => page.effects.push(run),
  confirm: () => says,
});
standIn({
  svelte: `export const onMount = (run) => run(), untrack = (run) => run(), tick = async () => {}`,
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/navigation': `export const beforeNavigate = (run) => { globalThis.page.leave = run; },
    goto = async (url) => { globalThis.page.went.push(url); }`,
});
standInMessages();
const { DraftForm } = await import('./draft-form.svelte.ts');
const { ApiError } = await import('#lib/api/client.ts');

interface Values {
  title: string;
  body: string;
}
type Options = ConstructorParameters<typeof DraftForm<Values>>[1];

const first: Values = { title: 'Terms', body: 'Old' };
const sends: [Values, number][] = [];

const formOf = (options: Partial<Options> = {}, version = 1) => {
  const form = new DraftForm<Values>(
    { values: first, version },
    {
      name: 'page 1',
      send: (values, sentVersion) => {
        sends.push([values, sentVersion]);
        return Promise.resolve({ values, version: sentVersion + 1 });
      },
      ...options,
    },
  );
  form.attend();
  return form;
};
const refusal = (status: number, code: string, more = {}) =>
  new ApiError({ status, code, message: code, errors: {}, request_id: null, ...more });
const refuse = (error: Error) => async (): Promise<never> => {
  throw error;
};
const copy = () => JSON.parse(sessionStorage.getItem('page 1') ?? 'null') as unknown;
const runEffects = () => page.effects.forEach((run) => run());

beforeEach(() => {
  sessionStorage.clear();
  page.effects = [];
  page.went = [];
  sends.length = 0;
  says = true;
});

describe('saving a form', () => {
  it('sends the values with their version and takes what was stored', async () => {
    const stored = { title: 'Terms', body: 'Clean' };
    const form = formOf({ send: () => Promise.resolve({ values: stored, version: 2 }) });
    form.values = { ...first, body: '<b>Clean' };
    assert.ok(form.changed);
    assert.equal(await form.submit(), true);
    assert.deepEqual([form.values, form.version, form.changed], [stored, 2, false]);
  });

  it('keeps what was typed while the values were sent', async () => {
    const form = formOf();
    form.values = { ...first, body: 'New' };
    const saving = form.submit();
    form.values = { ...first, body: 'Newer' };
    await saving;
    assert.deepEqual([form.values.body, form.saved.body, form.changed], ['Newer', 'New', true]);
  });

  it('sends once when it is submitted twice', async () => {
    const form = formOf();
    await Promise.all([form.submit(), form.submit()]);
    assert.equal(sends.length, 1);
  });

  it('publishes after the save that is under way, with what was typed meanwhile', async () => {
    const calls: string[] = [];
    const send = async (values: Values, version: number) => {
      calls.push(values.body);
      return { values, version: version + 1 };
    };
    const form = formOf({ send });
    form.values = { ...first, body: 'A' };
    const saving = form.submit();
    form.values = { ...first, body: 'B' };
    assert.equal(await form.saveAll(), true);
    assert.deepEqual([await saving, form.changed, calls], [true, false, ['A', 'B']]);

    form.values = { ...first, body: 'C' };
    void form.submit();
    const publish = async (_values: Values, version: number) => {
      calls.push(`publish ${version}`);
      return { values: form.saved, version: version + 1 };
    };
    assert.equal(await form.submit(publish), true);
    assert.deepEqual(calls.slice(2), ['C', 'publish 4']);
  });

  it('keeps the values after a refusal and focuses the first invalid field', async () => {
    let focused = '';
    const form = formOf({
      send: refuse(refusal(422, 'validation_failed', { errors: { title: ['Too long.'] } })),
    });
    form.element({
      querySelector: (found: string) => ({ focus: () => (focused = found) }),
    } as unknown as HTMLFormElement);
    form.values = { ...first, title: 'Long' };
    assert.equal(await form.submit(), false);
    assert.deepEqual(form.failure?.errors, { title: ['Too long.'] });
    assert.deepEqual([form.values.title, focused], ['Long', '[aria-invalid="true"]']);
  });
});

describe('a save that came first', () => {
  const conflict = { version: 4, saved_by: 'Ana', saved_at: '2026-11-24T14:02:00Z' };

  it('is named and overwritten under its own version', async () => {
    let isFirst = true;
    const form = formOf({
      send: (values, version) => {
        sends.push([values, version]);
        const answer = isFirst
          ? refuse(refusal(409, 'version_conflict', { conflict }))()
          : Promise.resolve({ values, version: version + 1 });
        isFirst = false;
        return answer;
      },
    });
    form.values = { ...first, body: 'Mine' };
    assert.equal(await form.submit(), false);
    assert.deepEqual(form.conflict, conflict);
    assert.equal(await form.overwrite(), true);
    assert.deepEqual(
      sends.map(([, version]) => version),
      [1, 4],
    );
    assert.deepEqual([form.version, form.conflict, form.failure], [5, null, null]);
  });

  it('takes the place of the form at a reload', async () => {
    const theirs = { title: 'Terms', body: 'Theirs' };
    const form = formOf({
      send: refuse(refusal(409, 'version_conflict', { conflict })),
      read: () => Promise.resolve({ values: theirs, version: 4 }),
    });
    form.values = { ...first, body: 'Mine' };
    await form.submit();
    await form.reload();
    assert.deepEqual([form.values, form.version, form.changed], [theirs, 4, false]);
    assert.equal(form.conflict, null);
  });

  it('is read where the refusal does not name it', async () => {
    const read = () => Promise.resolve({ values: first, version: 7 });
    const form = formOf({ send: refuse(refusal(409, 'version_conflict')), read });
    await form.submit();
    assert.deepEqual(form.conflict, { version: 7, saved_by: null, saved_at: null });
  });

  it('takes the place of a form without changes when the page loads again', () => {
    const form = formOf();
    const theirs = { title: 'Terms', body: 'Theirs' };
    form.load({ values: theirs, version: 2 });
    assert.deepEqual([form.values, form.version], [theirs, 2]);
    form.values = { ...theirs, body: 'Mine' };
    form.load({ values: first, version: 3 });
    assert.deepEqual([form.values.body, form.version], ['Mine', 2]);
  });
});

describe('the copy in the tab', () => {
  it('is written while values are unsaved and removed once they are saved', async () => {
    const form = formOf();
    form.values = { ...first, body: 'New' };
    runEffects();
    assert.deepEqual(copy(), { version: 1, values: form.values });
    await form.submit();
    runEffects();
    assert.equal(copy(), null);
  });

  it('is restored under the version that it was typed for, and can be discarded', () => {
    sessionStorage.setItem(
      'page 1',
      JSON.stringify({ version: 1, values: { ...first, body: 'Mine' } }),
    );
    const form = formOf({}, 3);
    assert.deepEqual([form.values.body, form.version, form.restored], ['Mine', 1, true]);
    form.discard();
    assert.deepEqual([form.values, form.restored], [first, false]);
  });

  it('is discarded where it is of another shape', () => {
    sessionStorage.setItem('page 1', JSON.stringify({ version: 1, values: { old: true } }));
    const form = formOf({ restore: () => null });
    assert.deepEqual([form.values, form.restored], [first, false]);
  });
});

describe('leaving the page', () => {
  const leave = (to: string | null, willUnload = false) => {
    let isCancelled = false;
    page.leave?.({
      from: { url: new URL('https://site.test/admin/page?tab=1') },
      to: to === null ? null : { url: new URL(to, 'https://site.test') },
      willUnload,
      cancel: () => (isCancelled = true),
    });
    return isCancelled;
  };

  it('asks only where changes would be lost', () => {
    const form = formOf();
    assert.equal(leave('/admin'), false);
    form.values = { ...first, body: 'New' };
    says = false;
    assert.equal(leave('/admin'), true);
    assert.equal(leave(null, true), true);
    assert.equal(leave('/admin/page'), false);
    assert.equal(leave('/signin?next=%2Fadmin%2Fpage%3Ftab%3D1'), false);
    says = true;
    assert.equal(leave('/admin'), false);
    assert.equal(form.changed, false);
  });

  it('saves first where the form saves by itself', async () => {
    const form = formOf({ autosaveMs: 60_000 });
    form.values = { ...first, body: 'New' };
    assert.equal(leave('/admin'), true);
    await form.submit();
    await new Promise(setImmediate);
    assert.deepEqual([sends.length, page.went.map(({ pathname }) => pathname)], [1, ['/admin']]);
  });
});
