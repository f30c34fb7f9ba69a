import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { Value } from 'typebox/value';
import { startTestApi } from '#test/harness.ts';
import { testDatabase } from '#test/database.ts';
import { connect } from '#platform/db/database.ts';
import { cleanHtml } from '@cambist/html/clean';
import { readConfig } from './config.ts';
import { requireForFirstStart } from './first-start.ts';
import { seed, type Seeded } from './seed.ts';
import { readHtml } from './seed/files.ts';
import { newPassword } from './seed/people.ts';

const KEY = `base64:${Buffer.alloc(32, 7).toString('base64')}`;

async function emptyDatabase(env: Record<string, string> = {}) {
  const databaseUrl = await testDatabase({ after });
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-seed-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  return { ...readConfig({ APP_KEY: KEY, DATA_DIR: dataDir, ...env }), databaseUrl };
}

/** Seeds in a second, by the same transaction as the demo desk, which takes ten. */
const production = {
  APP_ENV: 'production',
  ADMIN_EMAIL: 'Boss@Desk.Example',
  MAIL_URL: 'smtp://127.0.0.1:2525',
};

describe('the first start of a demo desk', async () => {
  const api = await startTestApi({ after }, { untouched: true });
  const config = { ...api.deps.config, databaseUrl: api.databaseUrl };
  const lines: string[] = [];
  const seeded = await seed(config, (line) => lines.push(line));

  it('tells the sign-ins once', async () => {
    assert.ok(lines.length > 0);
    assert.equal(seeded?.adminEmail, 'admin@cambist.example');
    assert.match(seeded?.adminPassword ?? '', /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    assert.ok(!lines.join().includes(seeded?.adminPassword ?? ''));
  });

  it('lets the admin and one customer sign in, and nobody else', async () => {
    const { adminEmail, adminPassword, demo } = seeded as Seeded;
    const admin = await api.client().signIn(adminEmail, adminPassword ?? '');
    assert.equal(admin.role, 'admin');
    const customer = await api.client().signIn(demo?.email ?? '', demo?.password);
    assert.equal(customer.role, 'user');
    const withPassword = await api.db
      .selectFrom('users')
      .select('email')
      .where('password_hash', 'is not', null)
      .execute();
    assert.deepEqual(
      withPassword.map(({ email }) => email).toSorted(),
      [adminEmail, demo?.email].toSorted(),
    );
    const unconfirmed = await api.db
      .selectFrom('users')
      .select('email')
      .where('email_verified_at', 'is', null)
      .execute();
    assert.deepEqual(unconfirmed, [], 'Everybody’s address is confirmed.');
  });

  it('has texts in every section of the home page, and links only to what answers', async () => {
    const { body } = await api.client().get('/api/settings/home-page');
    const home = body.data;
    assert.ok(Value.Check(settingSchemas['home-page'], home));
    assert.ok(home.faq.items.length >= 8);
    assert.equal(home.how_it_works.steps.length, 4);
    assert.equal(home.newsletter.enabled, true);
    const known = new Set([
      '/rates',
      '/blog',
      '/#how-it-works',
      '/signin',
      '/signup',
      '/contact',
      '/feature-report',
    ]);
    for (const { href } of home.footer.columns.flatMap(
      ({ links }: { links: { href: string }[] }) => links,
    )) {
      if (known.has(href)) continue;
      const page = await api.client().get(`/api/legal-pages/slug${href}`);
      assert.equal(page.status, 200, href);
    }
    const stats = home.stats.items.map(({ value }: { value: string }) => value);
    assert.ok(!stats.includes('0'), stats.join());
  });

  it('has messages, reports and readers in several states, and has written to nobody', async () => {
    const count = async (table: 'contact_submissions' | 'feature_reports' | 'campaigns') =>
      (await api.db.selectFrom(table).select('state').execute())
        .map(({ state }) => state)
        .toSorted();
    assert.deepEqual(await count('contact_submissions'), [
      'answered',
      'closed',
      'new',
      'new',
      'open',
      'spam',
    ]);
    assert.deepEqual(await count('feature_reports'), ['new', 'new', 'planned']);
    assert.deepEqual(await count('campaigns'), ['draft']);
    const readers = await api.db
      .selectFrom('subscriber_counts')
      .select((each) => ['state', each.fn.sum<number>('count').as('count')])
      .groupBy('state')
      .execute();
    assert.deepEqual(
      Object.fromEntries(readers.map(({ state, count: each }) => [state, Number(each)])),
      { pending: 1, confirmed: 7, left: 1 },
    );
    assert.deepEqual(await api.db.selectFrom('emails').select('id').execute(), []);
  });

  it('has legal pages whose links lead somewhere and whose headings have ids', async () => {
    const { body } = await api.client().get('/api/legal-pages');
    const slugs = body.data.map(({ slug }: { slug: string }) => slug);
    assert.deepEqual(slugs, ['terms', 'privacy', 'aml-policy']);
    for (const slug of slugs) {
      const page = (await api.client().get(`/api/legal-pages/slug/${slug}`)).body.data;
      assert.equal(cleanHtml(page.body), page.body);
      assert.deepEqual([page.version, page.versions.length], [2, 2]);
      const first = await api.client().get(`/api/legal-pages/slug/${slug}?version=1`);
      assert.equal(first.body.data.state, 'past');
      assert.notEqual(first.body.data.body, page.body);
      assert.ok(page.body.length > 3000, slug);
      const ids = [...page.body.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id);
      assert.ok(ids.length >= 8, slug);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(page.body.match(/<h2/g)?.length, ids.length);
      for (const [, href] of page.body.matchAll(/href="\/([a-z-]+)"/g))
        assert.ok(slugs.includes(href), href);
    }
  });

  it('has posts with covers, published in the past, of which nothing is cleaned away', async () => {
    const { data } = (await api.client().get('/api/public/blogs')).body;
    assert.equal(data.length, 5);
    for (const { slug, cover, cover_alt, published_at, tags } of data) {
      assert.ok(cover && cover_alt.length > 20 && tags.length > 0, slug);
      assert.ok(published_at < new Date().toISOString(), slug);
      assert.equal((await api.app.inject(cover)).statusCode, 200, slug);
      const { body } = (await api.client().get(`/api/public/blogs/${slug}`)).body.data;
      const file = readHtml(`posts/${slug}.html`, { quay: 'src="/media/a.webp" alt=""' });
      const elements = (html: string) => html.match(/<(h2|h3|td|th|li|p|img)\b/g);
      assert.deepEqual(elements(body), elements(file), slug);
    }
  });

  it('has currencies, pairs and past exchanges whose books balance', async () => {
    const { adminEmail, adminPassword } = seeded as Seeded;
    const browser = api.client();
    await browser.signIn(adminEmail, adminPassword ?? '');
    const books = await browser.get('/api/admin/reserves/reconciliation');
    assert.equal(books.body.data.balanced, true, books.text);
    const latest = await api.client().get('/api/public/latest-exchanges');
    assert.equal(latest.body.data.length, 10);
    const showcase = await api.client().get('/api/public/rates-showcase');
    assert.ok(showcase.body.data.length > 10);
    const [{ early } = { early: -1 }] = await api.deps.sql<{ early: number }[]>`
      select count(*) as early from exchanges join users on users.id = exchanges.user_id
      where exchanges.created_at < users.created_at`;
    assert.equal(early, 0);
  });

  it('does nothing the second time', async () => {
    const before = await api.db.selectFrom('users').selectAll().execute();
    assert.equal(await seed(config, () => assert.fail('It began again.')), null);
    assert.deepEqual(await api.db.selectFrom('users').selectAll().execute(), before);
  });
});

describe('a first start that fails half-way', () => {
  it('leaves nothing, and the next one does it all', async () => {
    const config = await emptyDatabase(production);
    // The home page is written last, when everything else is there.
    const sql = connect(config.databaseUrl, 1);
    after(() => sql.end());
    await sql`alter table settings add constraint closed check (slug <> 'home-page')`;
    await assert.rejects(
      seed(config, () => undefined),
      /closed/,
    );
    const [{ count } = { count: -1 }] = await sql<{ count: number }[]>`
      select (select count(*) from users) + (select count(*) from legal_pages)
        + (select count(*) from audit_events) as count`;
    assert.equal(count, 0);
    await sql`alter table settings drop constraint closed`;
    assert.ok(await seed(config, () => undefined));
  });
});

describe('two first starts at once', () => {
  it('seed once', async () => {
    const config = await emptyDatabase(production);
    const answers = await Promise.all([
      seed(config, () => undefined),
      seed(config, () => undefined),
    ]);
    assert.equal(answers.filter((answer) => answer !== null).length, 1);
  });
});

describe('the first start in production', () => {
  it('adds the admin and pages to read, and nothing invented', async () => {
    const config = await emptyDatabase({ ...production, ADMIN_PASSWORD: 'a long enough password' });
    const seeded = await seed(config, () => undefined);
    assert.deepEqual(seeded, {
      adminEmail: 'boss@desk.example',
      adminPassword: null,
    });
    const sql = connect(config.databaseUrl, 1);
    after(() => sql.end());
    const users = await sql`select email, role from users`;
    assert.deepEqual([...users], [{ email: 'boss@desk.example', role: 'admin' }]);
    const [{ money } = { money: -1 }] = await sql<{ money: number }[]>`
      select (select count(*) from currencies) + (select count(*) from ledger_transactions) as money`;
    assert.equal(money, 0);
    const [home] = await sql`select value from settings where slug = 'home-page'`;
    assert.equal(home?.['value'].testimonials.enabled, false);
    assert.ok(!JSON.stringify(await sql`select body from legal_page_versions`).includes('Lantern'));
  });

  it('wants to know the admin’s address', async () => {
    const config = await emptyDatabase({ APP_ENV: 'production' });
    await assert.rejects(
      seed(config, () => undefined),
      /ADMIN_EMAIL/,
    );
  });

  it('can tell that before there are tables', async () => {
    const config = await emptyDatabase({ APP_ENV: 'production' });
    const sql = connect(config.databaseUrl, 1);
    after(() => sql.end());
    await sql`drop table users cascade`;
    await assert.rejects(requireForFirstStart(config, config.databaseUrl), /ADMIN_EMAIL/);
    const local = { ...config, appEnv: 'local' as const };
    assert.equal(await requireForFirstStart(local, config.databaseUrl), undefined);
  });

  it('asks nobody again who has an admin already', async () => {
    const config = await emptyDatabase(production);
    assert.ok(await seed(config, () => undefined));
    const later = { ...config, admin: { email: null, password: null } };
    assert.equal(await requireForFirstStart(later, later.databaseUrl), undefined);
    assert.equal(await seed(later, () => undefined), null);
  });
});

describe('a generated password', () => {
  it('is another one each time', () => {
    assert.equal(new Set(Array.from({ length: 100 }, newPassword)).size, 100);
  });
});
