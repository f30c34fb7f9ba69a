import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { styleAttacks } from '@cambist/html/attacks';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin({ permissions: ['content'] });
const path = (slug: string) => `/api/admin/settings/${slug}`;

async function write(slug: string, change: Json) {
  const { version, value } = (await admin.get(path(slug))).body.data;
  return admin.put(path(slug), { version, value: { ...value, ...change } });
}

describe('custom CSS', () => {
  it('is written by who may change content, and told in the log', async () => {
    const answer = await write('custom-css', { css: 'main { outline: 1px solid red }' });
    assert.equal(answer.status, 200, answer.text);
    const { body } = await api.client().get('/api/settings/custom-css');
    assert.deepEqual(body.data, { css: 'main { outline: 1px solid red }' });
    const event = await api.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject_id', '=', 'custom-css')
      .executeTakeFirstOrThrow();
    assert.equal(event.action, 'settings.written');
  });

  it('is kept as it was typed, attacks and mistakes too; what hides is refused', async () => {
    for (const css of styleAttacks) {
      const { status } = await write('custom-css', { css });
      // NUL and form feed are refused in every text.
      assert.equal(status, /[\0\f]/.test(css) ? 422 : 200, JSON.stringify(css));
    }
    assert.equal((await write('custom-css', { css: 'a{'.repeat(30_000) })).status, 422);
  });

  it('needs a fresh confirmation', async () => {
    api.clock.advance(11 * MINUTE);
    const late = await write('custom-css', { css: '' });
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
  });
});

describe('site map and robots', () => {
  it('take paths, and nothing that could begin another line or rule', async () => {
    const { status, text } = await write('sitemap-robots', {
      disallow: ['/blog/tag/', '/*?page=*', '/old$'],
      allow: ['/blog/tag/rates'],
      listed: ['home', 'posts'],
    });
    assert.equal(status, 200, text);
    for (const line of ['blog', '/a b', '/a\nAllow: /', '/a#b', '', '/é', `/${'a'.repeat(200)}`]) {
      const refused = await write('sitemap-robots', { disallow: [line] });
      assert.equal(refused.status, 422, JSON.stringify(line));
    }
    const { body } = await write('sitemap-robots', { disallow: ['old'], allow: ['/é'] });
    assert.deepEqual(body.errors, {
      'disallow.0': ['The item 1 of disallow must begin with /.'],
      'allow.0': ['The item 1 of allow may have no space, no # and no letter beyond A to Z.'],
    });
    const doubtful = await write('sitemap-robots', { disallow: ['old'], allow: ['/\u0000 é'] });
    assert.deepEqual(doubtful.body.errors, {
      'allow.0': ['The item 1 of allow contains characters that are not allowed.'],
    });
    assert.equal((await write('sitemap-robots', { listed: ['home', 'home'] })).status, 422);
    assert.equal((await write('sitemap-robots', { listed: ['admin'] })).status, 422);
  });
});

describe('the maintenance switch', () => {
  it('is a matter of settings, is public, and lets who has an account go on in the API', async () => {
    assert.equal((await admin.get(path('general'))).status, 403);
    const { client: boss } = await api.asAdmin();
    const { client: member } = await api.asMember();
    const { version, value } = (await boss.get(path('general'))).body.data;
    const maintenance = { enabled: true, message: 'Back at noon.', retry_minutes: 20 };
    const answer = await boss.put(path('general'), { version, value: { ...value, maintenance } });
    assert.equal(answer.status, 200, answer.text);
    const visitor = api.client();
    const { body } = await visitor.get('/api/settings/general');
    assert.deepEqual(body.data.maintenance, maintenance);
    for (const open of ['/api/public/blogs', '/api/public/rates-showcase', '/api/settings']) {
      assert.equal((await visitor.get(open)).status, 200, open);
    }
    assert.equal((await member.get('/api/user')).status, 200);
  });
});
