/** Drafts and revisions of the three kinds of content, through their routes. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Answer, Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const signIn = async (name: string): Promise<Client> => (await api.asAdmin({ name })).client;
let ada = await signIn('Ada');
let bob = await signIn('Bob');

/** Sessions end while the clock moves. */
async function later(ms: number): Promise<void> {
  api.clock.advance(ms);
  [ada, bob] = [await signIn('Ada'), await signIn('Bob')];
}

const kinds = {
  post: {
    path: '/api/admin/blogs',
    content: (body: string) => ({ body: `<p>${body}</p>` }),
  },
  'legal page': {
    path: '/api/admin/legal-pages',
    content: (body: string) => ({ body: `<p>${body}</p>`, change: 'Some words.' }),
  },
} as const;
const changeOf = (content: Json) => content.body.replace(/<\/?p>/g, '');

function done(answer: Answer): Json {
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

for (const [kind, { path, content }] of Object.entries(kinds)) {
  const create = async (title: string): Promise<Json> => done(await ada.post(path, { title }));
  const put = (who: Client, { id, version, content: before }: Json, body: string, more = {}) =>
    who.put(`${path}/${id}/draft`, { version, content: { ...before, ...content(body) }, ...more });
  const save = async (who: Client, page: Json, body: string): Promise<Json> =>
    done(await put(who, page, body));
  const publish = async (who: Client, { id, version }: Json): Promise<Json> => {
    const plan = kind === 'post' ? { publish_at: null } : {};
    return done(await who.post(`${path}/${id}/publication`, { version, ...plan }));
  };
  /** The latest first: author, reason, text. */
  const revisions = async ({ id }: Json): Promise<string[]> => {
    const { body } = await ada.get(`${path}/${id}/revisions`);
    const found = body.data.map(async ({ number, author, reason }: Json) => {
      const { content: was } = done(await ada.get(`${path}/${id}/revisions/${number}`));
      return `${author} ${reason} ${changeOf(was)}`;
    });
    return Promise.all(found);
  };

  describe(`the draft of a ${kind}`, () => {
    it('is not overwritten by a save of an older version (409), which names the later one', async () => {
      const page = await create(`Conflict of a ${kind}`);
      const saved = await save(ada, page, 'hers');
      const late = await put(bob, page, 'his');
      assert.deepEqual([late.status, late.body.code], [409, 'version_conflict']);
      assert.deepEqual(late.body.conflict, {
        version: saved.version,
        saved_by: 'Ada',
        saved_at: saved.saved_at,
      });
      const over = await save(bob, { ...page, version: late.body.conflict.version }, 'his');
      assert.equal(changeOf(over.content), 'his');
      assert.deepEqual(await revisions(page), ['Bob saved his', 'Ada saved hers']);
    });

    it('is saved once when a save is repeated', async () => {
      const page = await create(`Repeated save of a ${kind}`);
      const saved = await save(ada, page, 'once');
      assert.equal((await save(ada, page, 'once')).version, saved.version);
      assert.deepEqual(await revisions(page), ['Ada saved once']);
    });
  });

  describe(`the revisions of a ${kind}`, () => {
    it('have one entry for what an editor saves within ten minutes', async () => {
      let page = await create(`Ten minutes of a ${kind}`);
      page = await save(ada, page, 'one');
      page = await save(ada, page, 'two');
      assert.deepEqual(await revisions(page), ['Ada saved two']);
      await later(11 * MINUTE);
      await save(ada, page, 'three');
      assert.deepEqual(
        (await revisions(page)).map((line) => line.split(' ').at(-1)),
        ['three', 'two'],
      );
    });

    it('have another entry within ten minutes where most of the text is replaced', async () => {
      const text = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
      let page = await save(ada, await create(`Replaced ${kind}`), text);
      page = await save(ada, page, `${text} more`);
      page = await save(ada, page, 'by accident');
      await save(ada, page, 'by accident, too');
      assert.deepEqual(await revisions(page), [
        'Ada saved by accident, too',
        `Ada saved ${text} more`,
      ]);
    });

    it('can be restored; the draft that they replace stays among them', async () => {
      let page = await save(ada, await create(`Restored ${kind}`), 'one');
      page = await publish(ada, page);
      page = await save(bob, page, 'two');
      const restore = (number: number, version: number) =>
        bob.post(`${path}/${page.id}/revisions/${number}/restoration`, { version });
      const restored = done(await restore(2, page.version));
      assert.equal(changeOf(restored.content), 'one');
      assert.deepEqual(await revisions(page), [
        'Bob restored one',
        'Bob saved two',
        'Ada published one',
        'Ada saved one',
      ]);
      assert.equal((await restore(2, page.version)).status, 409);
      assert.equal((await restore(9, restored.version)).status, 404);
    });

    it('come in pages', async () => {
      let page = await save(ada, await create(`Paged ${kind}`), 'one');
      page = await save(bob, page, 'two');
      const first = (await ada.get(`${path}/${page.id}/revisions?per_page=1`)).body;
      assert.deepEqual([first.data[0].number, first.meta.next_cursor], [2, '2']);
      const next = (await ada.get(`${path}/${page.id}/revisions?cursor=2`)).body;
      assert.deepEqual([next.data[0].number, next.meta.next_cursor], [1, null]);
      assert.equal((await ada.get(`${path}/${page.id}/revisions?cursor=x`)).status, 422);
      assert.equal((await ada.get(`${path}/${crypto.randomUUID()}/revisions`)).status, 404);
    });
  });
}

describe('settings', () => {
  const path = '/api/admin/settings/seo';
  const write = async (who: Client, version: number, title: string): Promise<Answer> => {
    const { value } = done(await who.get(path));
    return who.put(path, { version, value: { ...value, title } });
  };

  it('have a revision for each save, the defaults first, and can be restored', async () => {
    const { title } = done(await ada.get(path)).value;
    const saved = done(await write(ada, 0, 'One'));
    assert.deepEqual([saved.version, saved.saved_by], [1, 'Ada']);
    done(await write(ada, 1, 'Two'));
    const late = await write(bob, 1, 'Three');
    assert.deepEqual([late.status, late.body.conflict.saved_by], [409, 'Ada']);

    const restored = done(await bob.post(`${path}/revisions/1/restoration`, { version: 2 }));
    assert.deepEqual([restored.value.title, restored.version], [title, 3]);
    const { data } = (await ada.get(`${path}/revisions`)).body;
    assert.deepEqual(
      data.map(({ author, reason }: Json) => [author, reason]),
      [
        ['Bob', 'restored'],
        ['Ada', 'saved'],
        ['Ada', 'saved'],
        [null, 'saved'],
      ],
    );
    const { content } = done(await ada.get(`${path}/revisions/3`));
    assert.equal(content.title, 'Two');
    const open = await api.client().get('/api/settings/seo');
    assert.equal(open.body.data.title, title);
  });

  it('restore no revision without the permission, or a value that is refused today', async () => {
    const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await desk.get(`${path}/revisions`)).status, 403);
    assert.equal((await desk.post(`${path}/revisions/1/restoration`, { version: 3 })).status, 403);
    await api.db
      .updateTable('content_revisions')
      .set({ content: { title_template: 'no place' } })
      .where('subject_id', '=', 'seo')
      .where('number', '=', 2)
      .execute();
    const refused = await ada.post(`${path}/revisions/2/restoration`, { version: 3 });
    assert.deepEqual(Object.keys(refused.body.errors), ['title_template']);
  });
});
