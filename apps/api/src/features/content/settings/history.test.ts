import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { settingSchemas, type SettingSlug } from '@cambist/contract/settings';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { transaction } from '#platform/database.ts';
import { auth } from '#features/auth/routes.ts';
import { settings } from './routes.ts';
import { write } from './settings.ts';

const api = await startTestApi({ after }, { features: [settings, auth] });
const { client: admin, user } = await api.asAdmin();

async function entry(slug: SettingSlug): Promise<Json> {
  const answer = await admin.get(`/api/admin/settings/${slug}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function put(slug: SettingSlug, change: object): Promise<Json> {
  const { version, value } = await entry(slug);
  const body = { version, value: { ...value, ...change } };
  const answer = await admin.put(`/api/admin/settings/${slug}`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function history(slug: SettingSlug): Promise<Json[]> {
  const answer = await admin.get(`/api/admin/settings/${slug}/history`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const restore = (slug: SettingSlug, number: number, version: number) =>
  admin.post(`/api/admin/settings/${slug}/history/${number}/restoration`, { version });

describe('the history of settings', () => {
  it('tells who changed which fields from what to what, the latest first', async () => {
    const first = await put('seo', { title: 'One' });
    await put('seo', { title: 'Two', twitter_site: '@desk' });
    const [latest, before] = await history('seo');
    assert.equal(latest.kind, 'written');
    assert.equal(latest.author, user.name);
    assert.equal(latest.version, first.version + 1);
    assert.equal(latest.replaced, first.version);
    assert.deepEqual(latest.changes, [
      { path: 'title', before: 'One', after: 'Two' },
      { path: 'twitter_site', before: '', after: '@desk' },
    ]);
    assert.deepEqual(
      before.changes.map(({ path, after: now }: Json) => [path, now]),
      [['title', 'One']],
    );
  });

  it('comes in pages', async () => {
    const whole = await history('seo');
    const path = '/api/admin/settings/seo/history?per_page=1';
    const page = await admin.get(path);
    const next = await admin.get(`${path}&cursor=${page.body.meta.next_cursor}`);
    assert.deepEqual([...page.body.data, ...next.body.data], whole.slice(0, 2));
    assert.equal((await admin.get(`${path}&cursor=x`)).status, 422);
  });

  it('is written with the settings or not at all', async () => {
    const { version, value } = await entry('general');
    await api.db.schema.alterTable('setting_changes').renameTo('elsewhere').execute();
    const answer = await admin.put('/api/admin/settings/general', { version, value });
    await api.db.schema.alterTable('elsewhere').renameTo('setting_changes').execute();
    assert.equal(answer.status, 500);
    assert.equal((await entry('general')).version, version);
  });

  it('says of a secret that it was changed and nothing more', async () => {
    const canary = 'canary-52c1-of-a-password';
    const path = '/api/admin/settings/mail/secrets/password';
    const { version } = await put('mail', { host: 'mail.example.com' });
    assert.equal((await admin.put(path, { secret: canary, version })).status, 200);
    await put('mail', { host: 'mail.example.org' });
    const [forgotten, written, kept] = await history('mail');
    // Naming another server forgets the password, whoever does it.
    assert.deepEqual([forgotten.kind, forgotten.secret], ['secret_removed', 'password']);
    assert.deepEqual(written.changes, [
      { path: 'host', before: 'mail.example.com', after: 'mail.example.org' },
    ]);
    assert.deepEqual([kept.kind, kept.secret, kept.changes], ['secret_written', 'password', []]);
    const rows = await api.db.selectFrom('setting_changes').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes('canary'));
  });
});

describe('restoring', () => {
  it('writes the older value as a new version, and is itself undone the same way', async () => {
    const old = await put('seo', { title: 'Before' });
    const now = await put('seo', { title: 'After' });
    const answer = await restore('seo', old.version, now.version);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.version, now.version + 1);
    assert.equal(answer.body.data.value.title, 'Before');
    const open = await api.client().get('/api/settings/seo');
    assert.equal(open.body.data.title, 'Before');
    const [latest] = await history('seo');
    assert.deepEqual([latest.kind, latest.restored], ['restored', old.version]);
    assert.equal((await restore('seo', now.version, now.version + 1)).status, 200);
    assert.equal((await entry('seo')).value.title, 'After');
  });

  it('leads back to what the desk said before anybody wrote', async () => {
    const before = await entry('feeds');
    assert.equal(before.version, 0);
    await put('feeds', { enabled: false });
    assert.equal((await restore('feeds', 0, 1)).status, 200);
    assert.deepEqual((await entry('feeds')).value, before.value);
  });

  it('is refused with 409 where somebody wrote meanwhile', async () => {
    const { version } = await put('seo', { title: 'Mine' });
    for (const stale of [version - 1, version + 1]) {
      const answer = await restore('seo', 1, stale);
      assert.deepEqual([answer.status, answer.body.code], [409, 'version_conflict']);
    }
  });

  it('knows no version that never was', async () => {
    const { version } = await entry('seo');
    assert.equal((await restore('seo', version + 1, version)).status, 404);
  });

  it('leaves secrets as they are', async () => {
    const path = '/api/admin/settings/rate-api/secrets/coingecko_key';
    const old = await put('rate-api', { jump_percent: '12' });
    const set = await admin.put(path, { secret: 'CG-the-present-key-77aa' });
    assert.equal(set.status, 200, set.text);
    const { version } = await put('rate-api', { jump_percent: '14' });
    const answer = await restore('rate-api', old.version, version);
    assert.equal(answer.status, 200, answer.text);
    const secret = answer.body.data.secrets.find(({ set: is }: Json) => is);
    assert.equal(secret.last_four, '77aa');
    const [latest] = await history('rate-api');
    assert.equal(latest.kind, 'restored');
  });

  it('checks the older value like any other, and fills in what came since', async () => {
    const { version, value } = await put('general', { site_name: 'Desk' });
    const rows = api.db.updateTable('setting_changes').where('slug', '=', 'general');
    const { undo_minutes: _, ...older } = value;
    await rows.set({ value: { ...older, site_name: '', of_old: true } }).execute();
    const answer = await restore('general', version, version);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['site_name']);
  });

  it('keeps an admin without a second step from demanding one of all', async () => {
    const { config, clock, db, published } = api.deps;
    const first = await put('security', { two_factor_for_admins: 'off' });
    const value = { ...first.value, two_factor_for_admins: 'on' };
    const { version } = first;
    const deps = { config, clock, db, published };
    const demanded = await write(deps, 'system', null, 'security', { version, value });
    const change = { version: demanded.version, value: first.value };
    const { version: now } = await write(deps, 'system', null, 'security', change);
    const answer = await restore('security', demanded.version, now);
    assert.deepEqual(Object.keys(answer.body.errors), ['two_factor_for_admins']);
  });
});

describe('checking', () => {
  it('answers the public part of what it is given, and keeps nothing', async () => {
    const { version, value } = await entry('general');
    const draft = { ...value, site_name: 'Only a draft' };
    const answer = await admin.post('/api/admin/settings/general/checks', { value: draft });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.site_name, 'Only a draft');
    assert.ok(!('claim_minutes' in answer.body.data));
    assert.equal((await entry('general')).version, version);
  });

  it('refuses what writing would refuse', async () => {
    const { value } = await entry('seo');
    const draft = { ...value, title_template: 'No place for a title' };
    const answer = await admin.post('/api/admin/settings/seo/checks', { value: draft });
    assert.deepEqual(Object.keys(answer.body.errors), ['title_template']);
  });
});

describe('permissions', () => {
  const content = ['home-page', 'seo', 'custom-css', 'sitemap-robots'];

  for (const slug of Object.keys(settingSchemas)) {
    const [needed, other] = content.includes(slug)
      ? (['content', 'settings'] as const)
      : (['settings', 'content'] as const);
    it(`of ${slug}: ${needed}`, async () => {
      const path = `/api/admin/settings/${slug}`;
      const [{ client: able }, { client: unable }] = await Promise.all([
        api.asAdmin({ permissions: [needed] }),
        api.asAdmin({ permissions: [other, 'desk', 'money', 'users'] }),
      ]);
      for (const way of ['', '/history']) {
        assert.equal((await able.get(path + way)).status, 200);
        assert.equal((await unable.get(path + way)).body.code, 'permission_missing');
      }
      const body = { version: 1, value: {} };
      const writes = [
        ['PUT', '', body],
        ['PUT', '/secrets/password', { secret: 'x' }],
        ['POST', '/checks', { value: {} }],
        ['POST', '/history/1/restoration', { version: 1 }],
      ] as const;
      for (const [method, way, sent] of writes) {
        const refused = await unable.send(method, path + way, sent);
        assert.equal(refused.body.code, 'permission_missing', method + way);
        const passed = await able.send(method, path + way, sent);
        assert.notEqual(passed.body.code, 'permission_missing', method + way);
      }
    });
  }

  it('hide from nobody who has any of them that a group does not exist', async () => {
    for (const permission of ['content', 'settings'] as const) {
      const { client } = await api.asAdmin({ permissions: [permission] });
      assert.equal((await client.get('/api/admin/settings/constructor')).status, 404);
    }
  });
});

describe('pictures in settings', () => {
  it('are known to the library as shown there', async () => {
    const key = 'bcdfghjkmnpqrstv';
    await transaction(api.db, (tx) =>
      tx
        .insertInto('media')
        .values({
          id: '01890a5d-ac96-774b-bcce-b302099a8057',
          key,
          name: 'Shared',
          alt: '',
          width: 640,
          height: 360,
          fallback_format: 'jpg',
          created_by: null,
        })
        .execute(),
    );
    await put('seo', { og_image: `/media/${key}-640.jpg` });
    const uses = () =>
      api.db.selectFrom('media_uses').select(['label', 'href', 'past']).orderBy('past').execute();
    const seo = { label: 'Search engines and sharing', href: '/admin/settings/seo' };
    assert.deepEqual(await uses(), [{ ...seo, past: false }]);
    await put('seo', { og_image: null });
    // What was can be put back.
    assert.deepEqual(await uses(), [{ ...seo, past: true }]);
  });

  it('are there when they are chosen, and hinder nothing once they are gone', async () => {
    const { version, value } = await entry('seo');
    const og_image = '/media/nnnnnnnnnnnnnnnn-640.jpg';
    const body = { version, value: { ...value, og_image } };
    const refused = await admin.put('/api/admin/settings/seo', body);
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['og_image']]);
    await api.db
      .updateTable('settings')
      .set({ value: body.value })
      .where('slug', '=', 'seo')
      .execute();
    await put('seo', { og_title: 'Another' });
  });
});
