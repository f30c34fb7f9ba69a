/** Scripts that a post brings: off, on, who may publish them, and what stands in the audit log. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { FRESH_MS } from '#platform/guards.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { client: writer } = await api.asAdmin({ permissions: ['content'] });
const reader = api.client();

const json = '{"@context":"https://schema.org","@type":"Thing","name":"A thing"}';
const withScript = (text: string) =>
  `<script type="application/ld+json">${json}</script><script>${text}</script>`;
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

type Client = typeof admin;

async function switched(head_scripts: boolean, by: Client = admin) {
  const path = '/api/admin/settings/security';
  const { body } = await admin.get(path);
  return by.put(path, {
    version: body.data.version,
    value: { ...body.data.value, head_scripts },
  });
}

const path = (post: Json, rest = '') => `/api/admin/blogs/${post.id}${rest}`;
const publish = ({ id, version }: Json, by: Client) =>
  by.post(`/api/admin/blogs/${id}/publication`, { version, publish_at: null });

async function save(post: Json, head_script: string, by: Client = writer): Promise<Json> {
  const { version } = (await by.get(path(post))).body.data;
  const content = { ...post.content, head_script };
  const answer = await by.put(path(post, '/draft'), { version, content });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function begun(title: string, head_script: string): Promise<Json> {
  const { body } = await writer.post('/api/admin/blogs', { title });
  const post = { ...body.data, content: { ...body.data.content, body: '<p>Text.</p>' } };
  return save(post, head_script);
}

async function shown(slug: string): Promise<Json> {
  const answer = await reader.get(`/api/public/blogs/${slug}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const told = async (action: string): Promise<Json[]> =>
  (await admin.get(`/api/admin/audit?action=${action}`)).body.data;

describe('scripts in the head of a post', () => {
  it('are refused in words while they are switched off, as on a new desk', async () => {
    const post = await begun('Refused', withScript('a()'));
    assert.equal(post.scripts_run, false);
    const answer = await publish(post, admin);
    assert.equal(answer.status, 422);
    assert.match(answer.body.errors.head_script[0], /application\/ld\+json/);
    assert.deepEqual(await told('blog.scripts_published'), []);
  });

  it('are switched by who has the settings, freshly confirmed, and the audit log says how', async () => {
    assert.equal((await switched(true, writer)).status, 403);
    api.clock.advance(FRESH_MS);
    assert.equal((await switched(true)).body.code, 'confirmation_required');
    const { client: fresh } = await api.asAdmin();
    assert.equal((await switched(true, fresh)).status, 200);
    const [entry] = await told('settings.written');
    assert.deepEqual(entry?.data.to, { head_scripts: true });
    assert.equal((await switched(false, fresh)).status, 200);
    assert.deepEqual((await told('settings.written'))[0]?.data.to, { head_scripts: false });
  });
});

describe('where they are switched on', () => {
  let chief: Client;
  let post: Json;
  before(async () => {
    ({ client: chief } = await api.asAdmin());
    await switched(true, chief);
    post = await begun('With a script', withScript('first()'));
  });

  it('are published by nobody who has not the settings, who may publish all else', async () => {
    const refused = await publish(post, writer);
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing']);
    assert.match(refused.body.message, /"settings"/);
    assert.equal((await reader.get('/api/public/blogs/with-a-script')).status, 404);
    const plain = await begun('Without', `<script type="application/ld+json">${json}</script>`);
    assert.equal((await publish(plain, writer)).status, 200);
    assert.deepEqual((await shown('without')).scripts, []);
  });

  it('are published freshly confirmed, with their hash in the audit log', async () => {
    const stale = await publish(post, admin);
    assert.deepEqual([stale.status, stale.body.code], [403, 'confirmation_required']);
    assert.equal((await publish(post, chief)).status, 200);
    const { scripts, structured } = await shown('with-a-script');
    assert.deepEqual([scripts, structured.length], [['first()'], 1]);
    const [entry] = await told('blog.scripts_published');
    assert.equal(entry?.subject_id, post.id);
    assert.deepEqual(entry?.data.scripts, [hashOf('first()')]);
    assert.deepEqual(entry?.data.replaced, []);
  });

  it('stay through a publication by anyone that leaves them as they are', async () => {
    const saved = await save(
      { ...post, content: { ...post.content, title: 'Again' } },
      withScript('first()'),
    );
    const answer = await publish(saved, writer);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.changed, false);
    assert.equal((await told('blog.scripts_published')).length, 1);
  });

  it('are no others than were published, whoever tries, also after the post was off the site', async () => {
    const saved = await save(post, withScript('second()'));
    assert.equal((await publish(saved, writer)).body.code, 'permission_missing');
    assert.deepEqual((await shown('with-a-script')).scripts, ['first()']);
    const back = await save(post, withScript('first()'));
    const off = (await writer.delete(path(back, '/publication'))).body.data;
    assert.equal((await publish(off, writer)).body.code, 'permission_missing');
    assert.equal((await publish(off, chief)).status, 200);
  });

  it('never come from elsewhere, nor with other markup', async () => {
    for (const head of ['<script src="https://elsewhere.test/x.js"></script>', '<img src=x>']) {
      const answer = await publish(await begun('Elsewhere', head), chief);
      assert.equal(answer.status, 422, head);
      assert.ok(answer.body.errors.head_script[0].length > 20);
    }
  });

  it('are in no preview', async () => {
    const { body } = await writer.post(path(post, '/preview-link'));
    const token = new URL(body.data.url).pathname.split('/').at(-1);
    const preview = await reader.get(`/api/public/blog-previews/${token}`);
    assert.deepEqual(preview.body.data.scripts, []);
    assert.equal(preview.body.data.structured.length, 1);
  });

  it('are sent no more once they are switched off, and structured data still is', async () => {
    const before = await reader.get('/api/public/blogs/with-a-script');
    await switched(false, chief);
    const none = await reader.get('/api/public/blogs/with-a-script', {
      headers: { 'if-none-match': String(before.headers['etag']) },
    });
    assert.equal(none.status, 200);
    assert.deepEqual(none.body.data.scripts, []);
    assert.equal(none.body.data.structured.length, 1);
    const { body } = await writer.get(path(post));
    assert.equal(body.data.scripts_run, false);
    await switched(true, chief);
    assert.deepEqual((await shown('with-a-script')).scripts, ['first()']);
  });

  it('are taken away by whoever writes, once they showed who they are', async () => {
    const { client: fresh } = await api.asAdmin({ permissions: ['content'] });
    const saved = await save(post, '');
    assert.equal((await publish(saved, writer)).body.code, 'confirmation_required');
    assert.equal((await publish(saved, fresh)).status, 200);
    assert.deepEqual((await shown('with-a-script')).scripts, []);
    const [entry] = await told('blog.scripts_published');
    assert.deepEqual([entry?.data.scripts, entry?.data.replaced], [[], [hashOf('first()')]]);
  });
});
