/** Known ways to get script into a page, written as texts of the settings: nothing of them runs anywhere. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { attacks } from '../packages/html/src/attacks.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';
import { watched } from './watched.ts';

type Json = Record<string, unknown>;

/** Without what the service takes in no text at all. */
const texts = attacks.map((attack) => attack.replaceAll('\u0000', '').replaceAll('\u0001', ''));

describe('attacks as texts of the settings', () => {
  let desk: Desk;
  let browser: Browser;
  let admin: Page;
  let guest: Page;
  let adminSaw: string[];
  let guestSaw: string[];

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    admin = await newVisitor(browser, { viewport: screen });
    guest = await newVisitor(browser, { viewport: screen });
    [adminSaw, guestSaw] = [watched(admin), watched(guest)];
    admin.context().on('page', (tab) => watched(tab, adminSaw));
    await signInAsAdmin(admin, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  /** Writes as the console does: with the admin's cookies and the token of the session. */
  async function write(slug: string, change: (value: Json) => Json): Promise<void> {
    const url = `${desk.api}/api/admin/settings/${slug}`;
    const cookies = await admin.context().cookies(desk.api);
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const headers = { origin: desk.web, 'x-xsrf-token': decodeURIComponent(token) };
    const entry = await (await admin.request.get(url, { headers })).json();
    const data = { version: entry.data.version, value: change(entry.data.value) };
    const answer = await admin.request.put(url, { headers, data });
    assert.equal(answer.status(), 200, await answer.text());
  }

  const at = (index: number) => texts[index % texts.length] ?? '';
  /** As much of it as the field takes. */
  const fit = (index: number, length: number) => [...at(index)].slice(0, length).join('');
  /** As many as there may be questions. */
  const perPage = 30;

  function homeOf(value: Json, first: number): Json {
    const section = (index: number) => ({
      enabled: true,
      title: fit(index, 120),
      intro: at(index),
    });
    return {
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
        items: [0, 1, 2].map((row) => ({
          value: fit(first + row, 20),
          label: fit(first + row, 60),
        })),
      },
      rates: section(first + 3),
      latest: section(first + 4),
      features: {
        ...section(first + 5),
        items: [6, 7].map((row) => ({
          icon: 'lock',
          title: fit(first + row, 80),
          text: at(first + row),
        })),
      },
      how_it_works: {
        ...section(first + 8),
        steps: [9, 10].map((row) => ({ title: fit(first + row, 80), text: at(first + row) })),
      },
      testimonials: {
        ...section(first + 11),
        items: [12, 13].map((row) => ({
          quote: at(first + row),
          name: fit(first + row, 80),
          detail: fit(first + row, 80),
          portrait: null,
        })),
      },
      faq: {
        ...section(first + 14),
        items: Array.from({ length: perPage }, (_, row) => ({
          question: fit(first + row, 200),
          answer: at(first + row),
        })),
      },
      newsletter: section(first + 15),
      footer: {
        note: at(first + 16),
        links_enabled: true,
        social_enabled: true,
        columns: [
          { title: fit(first + 17, 60), links: [{ label: fit(first + 18, 60), href: '/rates' }] },
        ],
      },
    };
  }

  for (let first = 0; first < texts.length; first += perPage) {
    it(`run nowhere on the home page (from the ${first + 1}th)`, async () => {
      await write('home-page', (value) => homeOf(value, first));
      await guest.waitForTimeout(1000);
      await guest.goto(desk.web, { waitUntil: 'networkidle' });
      assert.equal(await guest.locator('#questions details').count(), perPage);
      for (let row = 0; row < perPage; row += 1) {
        const text = await guest.locator('#questions details p').nth(row).textContent();
        // It is there, as the text that it is.
        assert.equal(text?.includes('alert(1)'), at(first + row).includes('alert(1)'));
      }
      assert.deepEqual(guestSaw, []);
    });
  }

  it('run nowhere in the head, nor in what search engines read', async () => {
    const letter = { name: '</title><script>alert(1)</script>', long: texts.join(' ') };
    await write('seo', (value) => ({
      ...value,
      title: letter.name,
      title_template: `%s ${letter.name}`,
      meta_description: fit(85, 200),
      og_title: '"><script>alert(1)</script>',
      og_description: letter.long.slice(0, 300),
    }));
    await write('general', (value) => ({
      ...value,
      site_name: '</script><script>alert(1)</script>',
      company_name: '</script><img src=x onerror=alert(1)>',
      company_address: letter.long.slice(0, 300),
    }));
    await guest.waitForTimeout(1000);
    for (const path of ['/', '/rates', '/contact', '/feature-report', '/signin', '/terms']) {
      await guest.goto(`${desk.web}${path}`, { waitUntil: 'networkidle' });
      const structured = await guest
        .locator('script[type="application/ld+json"]')
        .allTextContents();
      for (const text of structured) assert.doesNotThrow(() => JSON.parse(text), path);
    }
    assert.deepEqual(guestSaw, []);
  });

  it('run nowhere in the console: form, revisions and preview', async () => {
    for (const slug of ['home-page', 'seo', 'general']) {
      await admin.goto(`${desk.web}/admin/settings/${slug}`, { waitUntil: 'networkidle' });
      await admin.goto(`${desk.web}/admin/settings/${slug}/revisions?number=1`, {
        waitUntil: 'networkidle',
      });
    }
    await admin.goto(`${desk.web}/admin/settings/home-page`, { waitUntil: 'networkidle' });
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    const dialog = admin.getByRole('dialog', { name: 'Preview' });
    await dialog.frameLocator('iframe').locator('#questions').waitFor();
    const [tab] = await Promise.all([
      admin.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.locator('#questions').waitFor();
    await tab.close();
    assert.deepEqual(adminSaw, []);
  });
});
