/** A post that two people have open: its state is plain here, and the service is an answer made for it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
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

/** What is sent with which version, where the service has this one by now. */
async function publishOver(theirs: PostDraft): Promise<{ tried: number[]; outcome: unknown }> {
  const tried: number[] = [];
  const open = new OpenPost(draft(4), 'u');
  globalThis.fetch = () => Promise.resolve(Response.json({ data: theirs }));
  const work = (version: number) => {
    tried.push(version);
    if (version !== theirs.version) throw conflict;
    return Promise.resolve(draft(version + 1, { state: 'published' }));
  };
  const outcome = await open.withSaved(work).catch((error: unknown) => error);
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

  it('is refused where they published it, or for a time of their own', async () => {
    const later = { state: 'scheduled', published_at: '2027-01-01T00:00:00.000Z' } as const;
    assert.deepEqual(await publishOver(draft(5, later)), { tried: [4], outcome: conflict });
  });
});

describe('text that is typed and not yet saved', () => {
  const store = new Map<string, string>();
  const original = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
  before(() => {
    const sessionStorage = {
      setItem: (name: string, text: string) => store.set(name, text),
      getItem: (name: string) => store.get(name) ?? null,
      removeItem: (name: string) => store.delete(name),
    };
    Object.defineProperty(globalThis, 'sessionStorage', {
      value: sessionStorage,
      configurable: true,
    });
  });
  after(() => {
    if (original) Object.defineProperty(globalThis, 'sessionStorage', original);
    else Reflect.deleteProperty(globalThis, 'sessionStorage');
  });

  beforeEach(() => store.clear());

  function type(open: InstanceType<typeof OpenPost>, title: string): void {
    open.form.title = title;
    open.typed();
    open.stop();
  }

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
    assert.match([...store.values()].join(), /Typed first/);
  });

  it('stays in the browser as soon as the text of an earlier visit is thrown away', () => {
    const open = openAgain();
    type(open, 'Typed later');
    open.throwAway();
    open.stop();
    assert.equal(open.stays, true);
    assert.match([...store.values()].join(), /Typed later/);
  });

  it('is not lost with what the browser has of an earlier visit, once two texts are made one', async () => {
    const open = openAgain();
    open.theirs = draft(5, { content: { ...content, title: 'Theirs' } });
    globalThis.fetch = () => Promise.resolve(Response.json({ data: { ...draft(6), removed: [] } }));
    await open.choose({ title: 'theirs' });
    assert.match([...store.values()].join(), /Typed first/);
  });
});
