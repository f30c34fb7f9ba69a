/**
 * Known ways to get script into a page, put into legal pages and posts past the wall at
 * writing: straight into the database, as a hole there or a stolen database would. The
 * wall at showing must hold alone, for readers and in the console.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { attacks } from '../packages/html/src/attacks.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';
import { endAll, visit, watched } from './watched.ts';

/** The database holds no NUL. */
const texts = attacks.map((attack) => attack.replaceAll('\0', ''));
/** At most as long as the field would take. */
const short = (text: string, length: number) => [...text].slice(0, length).join('');

describe('attacks that got past the wall at writing', () => {
  let desk: Desk;
  let browser: Browser;
  let guest: Page;
  let admin: Page;
  let guestSaw: string[];
  let adminSaw: string[];
  const pageId = randomUUID();
  const postIds = texts.map(() => randomUUID());

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    guest = await newVisitor(browser);
    admin = await newVisitor(browser, { viewport: screen });
    [guestSaw, adminSaw] = [watched(guest), watched(admin)];
    await signInAsAdmin(admin, desk);
    const sql = connect(desk.databaseUrl(), 1);
    try {
      const draft = {
        title: 'x',
        summary: '',
        body: texts.join('\n'),
        change: '',
        effective_on: null,
      };
      await sql`insert into legal_pages (id, slug, position, published_at, draft)
        values (${pageId}, 'attacked', 99, now(), ${sql.json(draft)})`;
      for (const [index, text] of texts.entries()) {
        await sql`insert into legal_page_versions
          (page_id, number, title, summary, body, change, effective_on, author_name, at)
          values (${pageId}, ${index + 1}, ${short(text, 120)}, ${text}, ${text}, ${text}, '2026-01-01', ${text}, now())`;
        const structured = { '@context': 'https://schema.org', '@type': 'Thing', name: text };
        const content = {
          slug: `attack-${index}`,
          title: short(text, 160),
          excerpt: text,
          body: text,
          cover: null,
          cover_alt: text,
          author: short(text, 80),
          tags: ['Attacks'],
          canonical: null,
          meta_title: short(text, 70),
          meta_description: text,
          head_script: JSON.stringify(structured),
        };
        const now = new Date();
        const row = {
          ...content,
          id: postIds[index] ?? '',
          published_at: now,
          announced_at: now,
          draft: sql.json(content),
        };
        await sql`insert into posts ${sql(row as never)}`;
      }
      // As whoever publishes says it, so that nobody goes by how many there were.
      await sql.notify('cambist_published', JSON.stringify({ names: ['blog'] }));
    } finally {
      await sql.end();
    }
  });
  after(() => endAll(browser, desk));

  const open = (page: Page, path: string) => visit(page, desk.web + path);

  it('run in no version of a legal page, nor in the list of them', async () => {
    for (const index of texts.keys()) await open(guest, `/attacked?version=${index + 1}`);
    assert.deepEqual(guestSaw, []);
  });

  it('run in no post, nor in what its author added to the head', async () => {
    for (const index of texts.keys()) {
      await open(guest, `/blog/attack-${index}`);
      const scripts = guest.locator('script[type="application/ld+json"]');
      const data = (await scripts.allTextContents()).flatMap((json) => JSON.parse(json) as object);
      assert.ok(JSON.stringify(data).includes(JSON.stringify(texts[index])), `post ${index}`);
    }
    for (let page = 1; page <= Math.ceil(texts.length / 12); page += 1) {
      await open(guest, `/blog?page=${page}`);
    }
    assert.deepEqual(guestSaw, []);
  });

  it('run in none of the console’s lists, editors and comparisons', async () => {
    await open(admin, '/admin/legal-pages');
    await open(admin, `/admin/legal-pages/${pageId}`);
    await admin.locator('#body[contenteditable]').waitFor();
    await open(admin, `/admin/legal-pages/${pageId}/revisions`);
    await open(admin, '/admin/blog');
    for (let index = 0; index < texts.length; index += 6) {
      await open(admin, `/admin/blog/${postIds[index]}`);
      await admin.locator('#body').waitFor();
    }
    assert.deepEqual(adminSaw, []);
  });
});
