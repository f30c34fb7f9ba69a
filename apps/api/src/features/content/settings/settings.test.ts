import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { publicParts, settingSchemas } from '@cambist/contract/settings';
import { Value } from 'typebox/value';
import { bySystem } from '#kernel/actor.ts';
import { eventually } from '#test/eventually.ts';
import { startTestApi } from '#test/harness.ts';
import type { Json } from '#test/client.ts';
import { openDeps } from '#app/open.ts';
import { transaction } from '#platform/db/database.ts';
import { auth } from '#features/auth/routes.ts';
import { settingDefaults } from './defaults.ts';
import { settings } from './routes.ts';
import { writeSecret } from './secrets.ts';
import { read } from './settings.ts';
import { write } from './writing.ts';

const api = await startTestApi({ after }, { features: [settings, auth], untouched: true });
const { deps, db } = api;
const { client: admin, user: adminUser } = await api.asAdmin();
const { client: member } = await api.asMember();

async function entry(slug: string): Promise<Json> {
  const answer = await admin.get(`/api/admin/settings/${slug}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

describe('defaults', () => {
  for (const [slug, schema] of Object.entries(settingSchemas)) {
    it(`of ${slug} fit their schema and are answered before anything was written`, async () => {
      const value = settingDefaults[slug as keyof typeof settingSchemas];
      assert.deepEqual(Value.Errors(schema, value), []);
      assert.deepEqual(await read(deps, slug as keyof typeof settingSchemas), value);
      assert.equal((await entry(slug)).version, 0);
    });
  }
});

describe('GET /api/settings/{slug}', () => {
  for (const slug of Object.keys(settingSchemas) as (keyof typeof settingSchemas)[]) {
    it(`gives exactly the public parts of ${slug} to anyone`, async () => {
      const { status, body, headers } = await api.client().get(`/api/settings/${slug}`);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['data']);
      assert.deepEqual(Object.keys(body.data).toSorted(), [...publicParts[slug]].toSorted());
      assert.equal(headers['set-cookie'], undefined);
      assert.match(String(headers['cache-control']), /^public, max-age=\d+/);
    });
  }

  it('never lets out a field that is not listed, nor a secret', async () => {
    const canary = 'canary-6f1d0c9a7b3e';
    await transaction(db, (tx) =>
      writeSecret(deps, tx, bySystem, { slug: 'general', name: 'rate_api_key', plain: canary }),
    );
    // Whatever way a field came into the row, it does not leave by the public route.
    await db
      .insertInto('settings')
      .values({
        slug: 'general',
        value: { ...settingDefaults.general, rate_api_key: canary, claim_minutes: 37 },
        saved_by: null,
        saved_by_name: null,
      })
      .execute();
    await transaction(db, (tx) => deps.published.changed(tx, 'settings general'));
    const open = await api.client().get('/api/settings/general');
    assert.equal(open.body.data.site_name, 'Cambist');
    assert.ok(!open.text.includes(canary) && !open.text.includes('claim_minutes'), open.text);
    await db.deleteFrom('settings').where('slug', '=', 'general').execute();
    await transaction(db, (tx) => deps.published.changed(tx, 'settings general'));
    const whole = await admin.get('/api/admin/settings/general');
    assert.ok(!whole.text.includes(canary), whole.text);
    const { rows } = { rows: await db.selectFrom('audit_events').selectAll().execute() };
    assert.ok(!JSON.stringify(rows).includes(canary));
  });

  it('answers 404 for a slug that does not exist, also for names of every object', async () => {
    for (const slug of ['nothing', 'constructor', 'to-string', '__proto__', 'General']) {
      const { status, body } = await api.client().get(`/api/settings/${slug}`);
      assert.equal(status, 404, slug);
      assert.equal(body.code, 'not_found');
    }
  });
});

describe('GET /api/settings', () => {
  it('gives the public parts of all slugs that have one, and nothing else', async () => {
    const { status, body } = await api.client().get('/api/settings');
    assert.equal(status, 200);
    const slugs = Object.keys(settingSchemas) as (keyof typeof settingSchemas)[];
    const open = slugs.filter((slug) => publicParts[slug].length > 0);
    assert.deepEqual(Object.keys(body.data).toSorted(), open.toSorted());
    for (const slug of open) {
      const one = await api.client().get(`/api/settings/${slug}`);
      assert.deepEqual(body.data[slug], one.body.data);
    }
  });

  it('answers 304 until one of them is written, in memory', async () => {
    const { headers } = await api.client().get('/api/settings');
    const known = { headers: { 'if-none-match': String(headers['etag']) } };
    assert.equal((await api.client().get('/api/settings', known)).status, 304);
    const { version, value } = await entry('seo');
    const change = { version, value: { ...value, twitter_site: '@another' } };
    assert.equal((await admin.put('/api/admin/settings/seo', change)).status, 200);
    const next = await api.client().get('/api/settings', known);
    assert.equal(next.status, 200);
    assert.equal(next.body.data.seo.twitter_site, '@another');
  });
});

describe('GET and PUT /api/admin/settings/{slug}', () => {
  it('are closed to guests and members', async () => {
    for (const path of ['general', 'nothing']) {
      assert.equal((await api.client().get(`/api/admin/settings/${path}`)).status, 401);
      assert.equal((await member.get(`/api/admin/settings/${path}`)).status, 403);
      const body = { version: 0, value: {} };
      assert.equal((await member.put(`/api/admin/settings/${path}`, body)).status, 403);
    }
  });

  it('answer 404 for an unknown slug', async () => {
    assert.equal((await admin.get('/api/admin/settings/nothing')).status, 404);
    const put = await admin.put('/api/admin/settings/nothing', { version: 0, value: {} });
    assert.equal(put.status, 404);
  });

  it('replace the value, raise the version, tell everyone at once and leave an audit event', async () => {
    const before = await entry('seo');
    const value = { ...before.value, title: 'Another title' };
    const { status, body } = await admin.put('/api/admin/settings/seo', {
      version: before.version,
      value,
    });
    assert.equal(status, 200);
    assert.equal(body.data.version, before.version + 1);
    assert.equal(body.data.saved_by, adminUser.name);
    assert.deepEqual(body.data.value, value);
    assert.equal((await api.client().get('/api/settings/seo')).body.data.title, 'Another title');
    assert.equal((await read(deps, 'seo')).title, 'Another title');

    const event = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'settings.written')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.equal(event.actor_id, adminUser.id);
    assert.equal(event.subject_id, 'seo');
    assert.deepEqual(event.data, { version: before.version + 1, changed: ['title'] });
  });

  it('let one of two simultaneous writers win, also the very first time', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { version, value } = await entry('home-page');
      const answers = await Promise.all(
        ['one', 'two'].map((title) =>
          admin.put('/api/admin/settings/home-page', {
            version,
            value: { ...value, hero: { ...value.hero, title } },
          }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    }
  });

  it('refuse a value that does not fit with 422, by field', async () => {
    const { version, value } = await entry('home-page');
    const wrong = {
      ...value,
      hero: { ...value.hero, title: 'x'.repeat(121), colour: 'red' },
      footer: {
        ...value.footer,
        columns: [{ title: 'Bad', links: [{ label: 'x', href: 'javascript:alert(1)' }] }],
      },
      extra: true,
    };
    delete wrong.faq;
    const { status, body } = await admin.put('/api/admin/settings/home-page', {
      version,
      value: wrong,
    });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).toSorted(), [
      'extra',
      'faq',
      'footer.columns.0.links.0.href',
      'hero.colour',
      'hero.title',
    ]);
    assert.deepEqual(body.errors['faq'], ['The faq field is required.']);
    assert.deepEqual(body.errors['hero.title'], [
      'The hero title must not be greater than 120 characters.',
    ]);
    assert.equal((await entry('home-page')).version, version);
  });

  it('refuse addresses that no program can read', async () => {
    const [home, seo] = [await entry('home-page'), await entry('seo')];
    const put = async ({ slug, version }: Json, value: Json) => {
      const { status, body } = await admin.put(`/api/admin/settings/${slug}`, { version, value });
      return [status, Object.keys(body.errors ?? {})];
    };
    const unreadable = 'https:// https://[ https://x:abc //[ //x.example /\\x.example';
    for (const href of unreadable.split(' ')) {
      const social = [{ network: 'x', href }];
      const columns = [{ title: 'Bad', links: [{ label: 'x', href }] }];
      const footer = { ...home.value.footer, columns };
      assert.deepEqual(await put(home, { ...home.value, social }), [422, ['social.0.href']], href);
      const inFooter = [422, ['footer.columns.0.links.0.href']];
      assert.deepEqual(await put(home, { ...home.value, footer }), inFooter, href);
      assert.deepEqual(await put(seo, { ...seo.value, og_image: href }), [422, ['og_image']], href);
    }
    const bare = [{ network: 'instagram', href: 'instagram.com/mydesk' }];
    const { body } = await admin.put('/api/admin/settings/home-page', {
      version: home.version,
      value: { ...home.value, social: bare },
    });
    assert.match(body.errors['social.0.href'][0], / https:\/\/, mailto: or tel:, or with \/ /);
    const fine = ['https://x.test/a?b#c', 'mailto:a@x.test', 'tel:+123', '/rates', '#faq'];
    const social = fine.map((href) => ({ network: 'x', href }));
    assert.deepEqual(await put(home, { ...home.value, social }), [200, []]);
  });

  it('refuse a time zone, an address and a template that cannot work', async () => {
    const general = await entry('general');
    const answer = await admin.put('/api/admin/settings/general', {
      version: general.version,
      value: { ...general.value, time_zone: 'Mars/Olympus', contact_email: 'no' },
    });
    assert.equal(answer.status, 422);
    const named = ['contact_email', 'time_zone'];
    assert.deepEqual(Object.keys(answer.body.errors).toSorted(), named, 'all at once');
    const seo = await entry('seo');
    const other = await admin.put('/api/admin/settings/seo', {
      version: seo.version,
      value: { ...seo.value, title_template: 'Cambist' },
    });
    assert.deepEqual(Object.keys(other.body.errors), ['title_template']);
  });
});

describe('settings in two processes', () => {
  it('are the same soon, values and answers', async () => {
    const { version, value } = await entry('general');
    assert.equal((await read(deps, 'general')).claim_minutes, value.claim_minutes);
    await api.client().get('/api/settings/general');
    const other = openDeps({ config: deps.config, databaseUrl: api.databaseUrl, log: deps.log });
    try {
      await read(other.deps, 'general');
      const changed = { ...value, claim_minutes: 42, site_name: 'Elsewhere' };
      await write(other.deps, bySystem, 'general', { version, value: changed });
      await eventually(
        'the other process reads the change',
        async () => (await read(deps, 'general')).claim_minutes === 42,
      );
      const open = await api.client().get('/api/settings/general');
      assert.equal(open.body.data.site_name, 'Elsewhere');
    } finally {
      await other.close();
    }
  });
});
