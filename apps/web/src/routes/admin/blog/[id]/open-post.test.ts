/** A post that two people have open: its state is plain here, and the service is an answer made for it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { standIn, standInMessages } from '#lib/stand-in.ts';
import { samplePost as content } from '../sample-post.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, {
  $state: Object.assign(same, { raw: same, snapshot: structuredClone }),
  document: { cookie: 'XSRF-TOKEN=token' },
});
standIn({
  svelte: 'export const tick = async () => {}',
  '$app/env/public': `export const API_URL = 'https://api.test'`,
});
standInMessages();
const { ApiError } = await import('#lib/api.ts');
const { OpenPost } = await import('./open-post.svelte.ts');

const draft = (version: number, rest: Partial<PostDraft> = {}) =>
  ({ id: 'a', version, state: 'draft', published_at: null, content, ...rest }) as PostDraft;
const conflict = new ApiError({
  status: 409,
  code: 'version_conflict',
  message: 'It has changed.',
  errors: {},
  request_id: null,
});

const shown = { state: 'published', published_at: '2026-01-01T00:00:00.000Z' } as const;
const later = { state: 'scheduled', published_at: '2027-01-01T00:00:00.000Z' } as const;

/** What is sent with which version, where the service has this one by now. */
async function publishOver(
  theirs: PostDraft,
  { before = draft(4), at = null as string | null } = {},
): Promise<{ tried: number[]; outcome: unknown }> {
  const tried: number[] = [];
  const open = new OpenPost(before, 'u');
  globalThis.fetch = () => Promise.resolve(Response.json({ data: theirs }));
  const work = (version: number) => {
    tried.push(version);
    if (version !== theirs.version) throw conflict;
    return Promise.resolve(draft(version + 1, { state: 'published' }));
  };
  const outcome = await open.withSaved(work, at).catch((error: unknown) => error);
  return { tried, outcome };
}

describe('publishing what somebody else has saved meanwhile', () => {
  it('goes on where they saved the same text', async () => {
    assert.deepEqual(await publishOver(draft(5)), { tried: [4, 5], outcome: true });
  });

  it('compares first where they saved another text', async () => {
    const theirs = draft(5, { content: { ...content, title: 'Theirs' } });
    assert.deepEqual(await publishOver(theirs), { tried: [4], outcome: false });
  });

  it('goes on with a date of its own where they published the same changes', async () => {
    const theirs = draft(5, { ...shown, changed: false });
    const own = { before: draft(4, { ...shown, changed: true }), at: '2026-02-01T00:00:00.000Z' };
    assert.deepEqual(await publishOver(theirs, own), { tried: [4, 5], outcome: true });
    assert.deepEqual((await publishOver(theirs, { before: own.before })).tried, [4]);
  });

  it('goes on now where they let the same changes wait for the day that was set', async () => {
    const before = draft(4, { ...later, changed: true });
    const { tried } = await publishOver(draft(5, { ...later, changed: false }), { before });
    assert.deepEqual(tried, [4, 5]);
  });

  it('is refused where they published it, or for a time of their own', async () => {
    assert.deepEqual(await publishOver(draft(5, later)), { tried: [4], outcome: conflict });
  });
});

describe('publishing whose answer is lost', () => {
  const silence = new ApiError({ ...conflict.failure, status: 0, code: 'unreachable' });

  /** Pressed again and again until it is done: how often the service published, where each press is asked for. */
  async function press(before: PostDraft, after: PostDraft, readable: readonly boolean[]) {
    let isDone = 0;
    const open = new OpenPost(before, 'u');
    const outcomes: unknown[] = [];
    for (const isReadable of readable) {
      globalThis.fetch = () =>
        isReadable ? Promise.resolve(Response.json({ data: after })) : Promise.reject(new Error());
      const work = (version: number) => {
        if (version !== before.version + isDone) return Promise.reject(conflict);
        isDone += 1;
        return Promise.reject(silence);
      };
      outcomes.push(
        await open.withSaved(work).catch((error: InstanceType<typeof ApiError>) => error.code),
      );
    }
    return { outcomes, isDone, shown: open.post };
  }

  for (const [name, before] of [
    ['of a draft', draft(4)],
    ['of changes', draft(4, { ...shown, changed: true })],
  ] as const) {
    const after = draft(5, { ...shown, changed: false });
    const done = { isDone: 1, shown: after };

    it(`${name} is seen at once`, async () => {
      assert.deepEqual(await press(before, after, [true]), { outcomes: [true], ...done });
    });

    it(`${name} is seen at the next press, and not done again`, async () => {
      const outcomes = ['unreachable', true];
      assert.deepEqual(await press(before, after, [false, true]), { outcomes, ...done });
    });
  }
});

function type(open: InstanceType<typeof OpenPost>, title: string): void {
  open.form.title = title;
  open.typed();
  open.stop();
}

describe('a post that is to be published at an address that another one has', () => {
  it('is asked for again, and not saved again', async () => {
    const asked: unknown[] = [];
    const open = new OpenPost(draft(4, { slug_fault: 'taken' }), 'u');
    const answers = [draft(4, { slug_fault: 'taken' }), draft(4, { slug_fault: null })];
    globalThis.fetch = (_address, init) => {
      asked.push(init?.method);
      return Promise.resolve(Response.json({ data: answers.shift() }));
    };
    for (const fault of ['taken', null]) {
      assert.equal(await open.settle(), true);
      assert.equal(open.post.slug_fault, fault);
    }
    assert.equal(await open.settle(), true);
    assert.deepEqual(asked, ['GET', 'GET'], 'one that is free is not asked for');
  });

  /** What is typed while it is asked for is saved; both are answered in this order. */
  async function typeMeanwhile(first: 'GET' | 'PUT'): Promise<InstanceType<typeof OpenPost>> {
    const open = new OpenPost(draft(4, { slug_fault: 'taken' }), 'u');
    const mine = draft(5, { slug_fault: 'taken', content: { ...content, title: 'Mine' } });
    const answers = { GET: first === 'GET' ? mine : open.post, PUT: { ...mine, removed: [] } };
    const gates = { GET: Promise.withResolvers<void>(), PUT: Promise.withResolvers<void>() };
    globalThis.fetch = async (_address, init) => {
      const method = init?.method === 'PUT' ? 'PUT' : 'GET';
      await gates[method].promise;
      return Response.json({ data: answers[method] });
    };
    const settling = open.settle();
    await setImmediate();
    type(open, 'Mine');
    const saving = open.flush();
    gates[first].resolve();
    await setImmediate();
    gates[first === 'GET' ? 'PUT' : 'GET'].resolve();
    assert.deepEqual(await Promise.all([settling, saving]), [true, true]);
    return open;
  }

  it('is in nobody else’s hands where something is typed meanwhile', async () => {
    for (const first of ['PUT', 'GET'] as const) {
      const { theirs, phase, post } = await typeMeanwhile(first);
      assert.deepEqual([theirs, phase, post.version], [null, 'saved', 5], first);
    }
  });
});

describe('a save whose answer is lost', () => {
  /** A service that saves, and whose answers to some saves are lost; like the real one, it tidies titles. */
  function losingService(lost: readonly number[]) {
    let saved = draft(4);
    let saves = 0;
    globalThis.fetch = async (_address, init) => {
      if (init?.method !== 'PUT') return Response.json({ data: saved });
      const { version, content: sent } = JSON.parse(String(init.body)) as PostDraft;
      saves += 1;
      const tidy = { ...sent, title: sent.title.trim() };
      const isRepeated = version === saved.version - 1 && isDeepStrictEqual(tidy, saved.content);
      if (version !== saved.version && !isRepeated)
        return Response.json({ code: conflict.code, message: conflict.message }, { status: 409 });
      if (!isRepeated) saved = draft(version + 1, { content: tidy });
      if (lost.includes(saves)) throw new TypeError('Failed to fetch');
      return Response.json({ data: { ...saved, removed: [] } });
    };
    return () => saved;
  }

  it('is no text of somebody else: what is typed after it is saved', async () => {
    const saved = losingService([1]);
    const open = new OpenPost(draft(4), 'u');
    type(open, 'Typed first ');
    assert.equal(await open.flush(), false);
    open.stop();
    type(open, 'Typed first and later');
    assert.equal(await open.flush(), true);
    open.stop();
    assert.deepEqual([open.theirs, open.phase], [null, 'saved']);
    assert.deepEqual([saved().version, saved().content.title], [6, 'Typed first and later']);
  });

  it('is found again between others that did not arrive at all', async () => {
    const saved = losingService([1]);
    const service = globalThis.fetch;
    const open = new OpenPost(draft(4), 'u');
    const refuse = () => Promise.reject(new TypeError('Failed to fetch'));
    for (const [title, answer] of [
      ['Never arrives', refuse],
      ['Arrives unheard', service],
      ['Never arrives either', refuse],
      ['Arrives', service],
    ] as const) {
      globalThis.fetch = answer;
      type(open, title);
      await open.flush();
      open.stop();
    }
    assert.deepEqual([open.theirs, saved().content.title], [null, 'Arrives']);
  });

  it('is found again where a proxy or the service gave up waiting', async () => {
    for (const status of [502, 503, 504]) {
      const saved = losingService([]);
      const service = globalThis.fetch;
      const open = new OpenPost(draft(4), 'u');
      globalThis.fetch = async (...sent) => {
        await service(...sent);
        return Response.json({ code: 'unavailable', message: 'Later.' }, { status });
      };
      type(open, 'Typed first');
      assert.equal(await open.flush(), false);
      open.stop();
      globalThis.fetch = service;
      type(open, 'Typed first and later');
      assert.equal(await open.flush(), true);
      open.stop();
      assert.deepEqual([open.theirs, saved().content.title], [null, 'Typed first and later']);
    }
  });

  it('does not hide what somebody else has saved meanwhile', async () => {
    const saved = losingService([1]);
    const open = new OpenPost(draft(4), 'u');
    type(open, 'Mine');
    await open.flush();
    const other = new OpenPost(saved(), 'other');
    type(other, 'Theirs');
    await other.flush();
    type(open, 'Mine again');
    assert.equal(await open.flush(), false);
    open.stop();
    assert.equal(open.theirs?.content.title, 'Theirs');
  });
});

describe('text that is typed and not yet saved', () => {
  beforeEach(() => sessionStorage.clear());

  /** A post whose text of an earlier visit was not saved. */
  function openAgain(): InstanceType<typeof OpenPost> {
    type(new OpenPost(draft(4), 'u'), 'Typed first');
    const open = new OpenPost(draft(4), 'u');
    open.look();
    return open;
  }

  it('stays in the browser, but not in the place of text of an earlier visit', () => {
    const first = new OpenPost(draft(4), 'u');
    type(first, 'Typed first');
    assert.equal(first.stays, true);

    const second = openAgain();
    type(second, 'Typed later');
    assert.equal(second.stays, false);
    assert.match(JSON.stringify(sessionStorage), /Typed first/);
  });

  it('stays in the browser as soon as the text of an earlier visit is thrown away', () => {
    const open = openAgain();
    type(open, 'Typed later');
    open.throwAway();
    open.stop();
    assert.equal(open.stays, true);
    assert.match(JSON.stringify(sessionStorage), /Typed later/);
  });

  it('is not lost with what the browser has of an earlier visit, once two texts are made one', async () => {
    const open = openAgain();
    open.theirs = draft(5, { content: { ...content, title: 'Theirs' } });
    globalThis.fetch = () => Promise.resolve(Response.json({ data: { ...draft(6), removed: [] } }));
    await open.choose({ title: 'theirs' });
    assert.match(JSON.stringify(sessionStorage), /Typed first/);
  });
});
