/**
 * Known ways to get script into a page, past the checks at writing: put straight into the database, as
 * a hole there would, or written by an admin or a stranger. None may run for readers, for the admin
 * who reads them, or in an email. It is the last journey of its desk, whose lists are full of them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { attacks, styleAttacks } from '../../../packages/html/src/attacks.ts';
import { cleanHtml } from '../../../packages/html/src/clean.ts';
import { changeSettings, eventuallyShows } from '../../support/api.ts';
import { openSafely, watchScripts } from '../../support/script-watch.ts';
import { newAdmin, newPerson, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, signUp } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;

/** The database holds no NUL, and the service takes no \u0001. */
const texts = attacks.map((attack) => attack.replaceAll(/[\0\u0001]/g, ''));
/** Some swallow all that follows, so each of those ends a text of its own. */
const isGreedy = (text: string) => !cleanHtml(`${text}<p>After.</p>`).includes('After.');
const harmless = texts.filter((text) => !isGreedy(text)).join('\n');
const bodies = [harmless, ...texts.filter(isGreedy)].map((text) => `<p>Before.</p>${text}`);
const all = texts.join('\n');
/** At most as long as the field takes. */
const short = (text: string, length: number) => [...text].slice(0, length).join('');

let guest: Page;
let admin: Page;
const seen: string[] = [];

before(async () => {
  guest = await newVisitor(browser);
  admin = await newAdmin(shared);
  watchScripts(guest, seen);
  watchScripts(admin, seen);
  admin.context().on('page', (tab) => watchScripts(tab, seen));
});

const visit = (page: Page, path: string) => openSafely(page, desk.web + path);

describe('script in the texts of the database', () => {
  const pageId = randomUUID();
  const postIds = texts.map(() => randomUUID());
  const messageId = randomUUID();

  before(async () => {
    const sql = connect(desk.databaseUrl(), 1);
    const draft = { title: 'x', summary: '', body: all, change: '', effective_on: null };
    await sql`insert into legal_pages (id, slug, position, published_at, draft)
      values (${pageId}, 'attacked', 99, now(), ${sql.json(draft)})`;
    for (const [at, body] of bodies.entries()) {
      const text = texts[at] ?? '';
      await sql`insert into legal_page_versions
        (page_id, number, title, summary, body, change, effective_on, author_name, at)
        values (${pageId}, ${at + 1}, ${short(text, 120)}, ${text}, ${body}, ${text}, '2026-01-01', ${text}, now())`;
    }
    for (const [at, text] of texts.entries()) {
      const content = {
        slug: `attack-${at}`,
        title: short(text, 160),
        excerpt: text,
        body: bodies[at] ?? text,
        cover: null,
        cover_alt: text,
        author: short(text, 80),
        tags: ['Attacks'],
        canonical: null,
        meta_title: short(text, 70),
        meta_description: text,
        head_script: JSON.stringify({
          '@context': 'https://schema.org',
          '@type': 'Thing',
          name: at === 0 ? all : text,
        }),
      };
      const now = new Date();
      const row = {
        ...content,
        id: postIds[at] ?? '',
        published_at: now,
        announced_at: now,
        draft: sql.json(content),
      };
      await sql`insert into posts ${sql(row as never)}`;
    }
    await sql`insert into contact_submissions (id, name, email, topic, exchange_number, message)
      select uuidv7(), text, 'someone@example.com', 'other', left(text, 20), text
      from unnest(${texts}::text[]) as text`;
    await sql`insert into contact_submissions (id, name, email, topic, message)
      values (${messageId}, ${texts[0] ?? ''}, 'someone@example.com', 'other', ${all})`;
    await sql`insert into contact_entries (id, submission_id, kind, body, author_name)
      values (uuidv7(), ${messageId}, 'note', ${all}, ${all}), (uuidv7(), ${messageId}, 'reply', ${all}, ${all})`;
    await sql`insert into feature_reports (id, title, description, page)
      select uuidv7(), text, text, text from unnest(${texts}::text[]) as text`;
    await sql`insert into users (id, name, email)
      select uuidv7(), left(text, 100), 'name-' || place || '@example.com'
      from unnest(${texts}::text[]) with ordinality as of (text, place)`;
    await sql`insert into subscribers (id, email, locale, state, asked_at)
      select uuidv7(), left(text, 100) || place || '@example.com', 'en', 'pending', now()
      from unnest(${texts}::text[]) with ordinality as of (text, place)`;
    // As a publication notifies the other processes.
    await sql.notify('cambist_published', JSON.stringify({ names: ['blog'] }));
    await sql.end();
  });

  it('No script runs on a page of a reader: versions of a legal page, posts and their list', async () => {
    await eventuallyShows(desk, '/blog', (html) => html.includes('/blog/attack-'));
    for (const at of bodies.keys()) {
      await visit(guest, `/attacked?version=${at + 1}`);
      await visit(guest, `/blog/attack-${at}`);
      await guest.getByText('Before.', { exact: true }).waitFor();
    }
    await visit(guest, '/blog/attack-0');
    const scripts = await guest.locator('script[type="application/ld+json"]').allTextContents();
    const data = JSON.stringify(scripts.flatMap((json) => JSON.parse(json) as object));
    assert.ok(data.includes(JSON.stringify(all).slice(1, -1)));
    for (let page = 1; page <= Math.ceil(texts.length / 12); page += 1)
      await visit(guest, `/blog?page=${page}`);
    assert.deepEqual(seen, []);
  });

  it('No script runs on a page of the console: lists, editors, comparisons and messages', async () => {
    for (const path of ['/admin/legal-pages', `/admin/legal-pages/${pageId}/revisions`])
      await visit(admin, path);
    for (const path of [
      `/admin/legal-pages/${pageId}`,
      ...bodies.map((_, at) => `/admin/blog/${postIds[at]}`),
    ]) {
      await visit(admin, path);
      await admin.locator('#body').waitFor();
    }
    await visit(admin, `/admin/messages/${messageId}`);
    assert.ok((await admin.locator('main').textContent())?.includes(texts[0] ?? '?'));
    for (const list of ['blog', 'messages', 'feature-reports', 'subscribers', 'users'])
      await visit(admin, `/admin/${list}`);
    await admin
      .locator('main')
      .getByRole('link', { name: texts.at(-1) ?? '?' })
      .first()
      .click();
    await admin.waitForURL(/\/admin\/users\/./);
    assert.deepEqual(seen, []);
  });
});

describe('script in what an admin or a stranger writes', () => {
  const at = (index: number) => texts[index % texts.length] ?? '';
  const fit = (index: number, length: number) => short(at(index), length);
  /** As many as there may be questions. */
  const perPage = 30;

  it('No script runs from custom CSS, and none of it ends the style element', async () => {
    for (const [number, attack] of styleAttacks.entries()) {
      if (/[\0\f]/.test(attack)) continue;
      await changeSettings(admin.context(), desk, 'custom-css', (value) => ({
        ...value,
        css: `/* attack ${number} */ ${attack}`,
      }));
      const style = `<style id="custom-style">/* attack ${number} */`;
      await eventuallyShows(desk, '/contact', (html) => html.includes(style));
      await guest.goto(`${desk.web}/contact`);
      assert.equal(await guest.locator('#custom-style').count(), 1, attack);
      assert.doesNotMatch(await guest.locator('body').innerText(), /alert\(1\)/, attack);
      assert.ok(await guest.getByRole('heading', { level: 1 }).isVisible(), attack);
      assert.deepEqual(seen, [], attack);
    }
  });

  it('No script runs from the texts of the settings, on a page or in its head', async () => {
    for (let first = 0; first < texts.length; first += perPage) {
      const section = (index: number) => ({
        enabled: true,
        title: fit(first + index, 120),
        intro: at(first + index),
      });
      const rows = [0, 1, 2].map((row) => first + row);
      await changeSettings(admin.context(), desk, 'home-page', (value) => ({
        ...value,
        hero: {
          enabled: true,
          title: fit(first, 120) || 'x',
          text: at(first),
          cta_label: fit(first + 1, 40),
          signed_in_cta_label: fit(first + 2, 40),
        },
        stats: {
          enabled: true,
          items: rows.map((row) => ({ value: fit(row, 20), label: fit(row, 60) })),
        },
        rates: section(3),
        latest: section(4),
        features: {
          ...section(5),
          items: rows.map((row) => ({ icon: 'lock', title: fit(row, 80), text: at(row) })),
        },
        how_it_works: {
          ...section(8),
          steps: rows.map((row) => ({ title: fit(row, 80), text: at(row) })),
        },
        testimonials: {
          ...section(11),
          items: rows.map((row) => ({
            quote: at(row),
            name: fit(row, 80),
            detail: fit(row, 80),
            portrait: null,
          })),
        },
        faq: {
          ...section(14),
          items: Array.from({ length: perPage }, (_, row) => ({
            question: fit(first + row, 200),
            answer: `${at(first + row)} (${first})`,
          })),
        },
        newsletter: section(15),
        footer: { ...value['footer'], note: at(first + 16) },
      }));
      await eventuallyShows(desk, '/', (html) => html.includes(`(${first})`));
      await guest.goto(desk.web, { waitUntil: 'networkidle' });
      const answers = await guest.locator('#questions details p').allTextContents();
      assert.equal(answers.length, perPage);
      // Each is there, as plain text.
      for (const [row, answer] of answers.entries())
        assert.equal(answer.includes('alert(1)'), at(first + row).includes('alert(1)'));
    }
    await admin.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    await admin.frameLocator('iframe').locator('#questions').waitFor();
    assert.deepEqual(seen, []);

    // Nor in the head of a page, nor in what search engines read.
    await changeSettings(admin.context(), desk, 'seo', (value) => ({
      ...value,
      title: '</title><script>alert(1)</script>',
      title_template: '%s </title><script>alert(1)</script>',
      meta_description: fit(85, 200),
      og_title: '"><script>alert(1)</script>',
      og_description: short(all, 300),
    }));
    await changeSettings(admin.context(), desk, 'general', (value) => ({
      ...value,
      site_name: '</script><script>alert(1)</script>',
      company_name: '</script><img src=x onerror=alert(1)>',
      company_address: short(all, 300),
    }));
    await eventuallyShows(desk, '/rates', (html) => html.includes('onerror'));
    for (const path of ['/', '/rates', '/contact', '/terms']) {
      await guest.goto(desk.web + path, { waitUntil: 'networkidle' });
      const data = await guest.locator('script[type="application/ld+json"]').allTextContents();
      for (const text of data) assert.doesNotThrow(() => JSON.parse(text), path);
    }
    for (const slug of ['seo', 'general'])
      await admin.goto(`${desk.web}/admin/settings/${slug}`, { waitUntil: 'networkidle' });
    assert.deepEqual(seen, []);
  });

  it('No script runs for a customer whose name is one, nor in the email that greets them', async () => {
    const page = await newVisitor(browser);
    watchScripts(page, seen);
    const person = { ...newPerson('Greeted'), name: '"><img src=x onerror=alert(1)>{{7*7}}' };
    await page.goto(`${desk.web}/signup`, { waitUntil: 'networkidle' });
    await signUp(page, person);
    await page.waitForURL(({ pathname }) => pathname !== '/signup');
    for (const path of ['/account', '/exchanges', '/']) await visit(page, path);
    const { html = '' } = await mailbox.take(person.email, /^Confirm/);
    await page.goto('about:blank');
    await page.setContent(html);
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.ok((await page.locator('body').innerText()).includes('onerror=alert(1)'));
    assert.deepEqual(seen, []);
  });
});
