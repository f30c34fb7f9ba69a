/**
 * Known ways to get script into a page, typed by strangers where plain words are asked
 * for: messages, reports, names, addresses of subscribers. Nothing of it may run for the
 * desk that reads them, in the letters that carry them on, or for the person themself.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { attacks } from '../packages/html/src/attacks.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, screen, signInAsAdmin, signUp } from './visitor.ts';
import { armed, endAll, visit, watched } from './watched.ts';

/** The database holds no NUL. */
const texts = attacks.map((attack) => attack.replaceAll('\0', ''));
const all = texts.join('\n');
/** A name holds no more. */
const NAME = 100;
const names = texts.filter(({ length }) => length <= NAME);

describe('attacks that strangers type', () => {
  let desk: Desk;
  let browser: Browser;
  let admin: Page;
  let adminSaw: string[];
  const message = randomUUID();

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    admin = await newVisitor(browser, { viewport: screen });
    adminSaw = watched(admin);
    await signInAsAdmin(admin, desk);
    const sql = connect(desk.databaseUrl(), 1);
    // In milliseconds, as the service writes it.
    const now = new Date();
    try {
      await sql`insert into contact_submissions (id, name, email, topic, exchange_number, message, created_at)
        select uuidv7(), text, 'someone@example.com', 'other', left(text, 20), text, ${now}
        from unnest(${texts}::text[]) as text`;
      await sql`insert into contact_submissions (id, name, email, topic, message)
        values (${message}, ${names[0] ?? ''}, 'someone@example.com', 'other', ${all})`;
      await sql`insert into contact_entries (id, submission_id, kind, body, author_name)
        values (uuidv7(), ${message}, 'note', ${all}, ${all}), (uuidv7(), ${message}, 'reply', ${all}, ${all})`;
      await sql`insert into feature_reports (id, title, description, page, created_at)
        select uuidv7(), text, text, text, ${now} from unnest(${texts}::text[]) as text`;
      await sql`insert into users (id, name, email, created_at)
        select uuidv7(), text, 'name-' || place || '@example.com', ${now}
        from unnest(${names}::text[]) with ordinality as of (text, place)`;
      await sql`insert into subscribers (id, email, locale, state, asked_at)
        select uuidv7(), text || place || '@example.com', 'en', 'pending', ${now}
        from unnest(${names}::text[]) with ordinality as of (text, place)`;
    } finally {
      await sql.end();
    }
  });
  after(() => endAll(browser, desk));

  const open = (page: Page, path: string) => visit(page, desk.web + path, 'networkidle');
  /** To the end of its list, where the attacks that were typed first are. */
  async function visitAll(path: string, oldest: string): Promise<void> {
    await open(admin, path);
    // One that is loading already goes away with the end of the list.
    const more = admin.getByRole('button', { name: 'Load more', disabled: false });
    const last = admin.getByText(oldest, { exact: true }).first();
    for (;;) {
      await more.or(last).first().waitFor();
      if (await last.isVisible()) break;
      await more.click();
    }
    assert.deepEqual(await armed(admin), [], path);
  }

  it('do not run in the inbox, its lists and what was written about a message', async () => {
    await visitAll('/admin/messages', texts[0] ?? '?');
    await open(admin, `/admin/messages/${message}`);
    assert.ok((await admin.locator('main').textContent())?.includes(texts[0] ?? '?'));
    assert.deepEqual(adminSaw, []);
  });

  it('do not run among the reports, the subscribers and the users', async () => {
    await visitAll('/admin/feature-reports', texts[0] ?? '?');
    await visitAll('/admin/subscribers', `${names[0]}1@example.com`);
    await visitAll('/admin/users', names[0] ?? '?');
    for (const each of ['name-1', 'name-2'])
      await open(admin, `/admin/users?q=${each}@example.com`);
    await admin
      .locator('main')
      .getByRole('link', { name: names[1] ?? '' })
      .first()
      .click();
    await admin.waitForURL(/\/admin\/users\/./);
    assert.deepEqual(await armed(admin), []);
    assert.deepEqual(adminSaw, []);
  });

  it('do not run for who bears them as a name, nor in the letters that greet them', async () => {
    const guest = await newVisitor(browser);
    const guestSaw = watched(guest);
    const name = '"><img src=x onerror=alert(1)>{{7*7}}';
    await guest.goto(`${desk.web}/signup`, { waitUntil: 'networkidle' });
    const account = { name, email: 'greeted@example.com', password: 'wooden spoons in a row 9' };
    await signUp(guest, account);
    await guest.waitForURL(({ pathname }) => pathname !== '/signup');
    for (const path of ['/account', '/exchanges', '/']) await open(guest, path);
    await guest.goto(`${desk.api}/dev/mail`);
    const letters = await guest
      .getByRole('listitem')
      .filter({ hasText: account.email })
      .getByRole('link')
      .evaluateAll((links: readonly { readonly href: string }[]) => links.map(({ href }) => href));
    assert.ok(letters.length > 0);
    for (const letter of letters) {
      await guest.goto(letter, { waitUntil: 'networkidle' });
      for (const frame of guest.frames())
        assert.equal(await frame.locator('img[src=x]').count(), 0);
    }
    assert.deepEqual(guestSaw, []);
  });
});
