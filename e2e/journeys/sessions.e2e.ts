/**
 * Sessions as browsers see them: cookies across origins, across sibling
 * subdomains, and the clients of this scheme unchanged.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from '../desk.ts';
import { newPerson, sharedDesk } from '../shared-desk.ts';
import { lookAgain, newTab, newVisitor, signIn, signUp } from '../visitor.ts';

const { desk, browser } = await sharedDesk();

const axiosFile = fileURLToPath(
  new URL('../../node_modules/axios/dist/axios.min.js', import.meta.url),
);

interface Answer {
  status: number;
  data: { message?: string; email?: string; data?: { email: string } };
}

/** A page of the frontend's origin that has axios, as anybody's application would. */
async function pageWithAxios(from: Browser, { web, api: apiOrigin }: Desk): Promise<Page> {
  const context = await from.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${web}/signin`);
  await page.addScriptTag({ content: await readFile(axiosFile, 'utf8') });
  await page.evaluate((api) => {
    const { axios } = globalThis as unknown as { axios: { create(options: object): unknown } };
    Object.assign(globalThis, {
      client: axios.create({
        baseURL: api,
        withCredentials: true,
        withXSRFToken: true,
        validateStatus: null,
      }),
    });
  }, apiOrigin);
  return page;
}

function ask(page: Page, method: 'get' | 'post', path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async (question) => {
      const { client } = globalThis as unknown as {
        client: { request(options: object): Promise<Answer> };
      };
      const { status, data } = await client.request(question);
      return { status, data };
    },
    { method, url: path, data: body },
  );
}

describe('sessions in a browser', () => {
  it('lets axios sign in from the frontend with withCredentials and withXSRFToken', async () => {
    const page = await pageWithAxios(browser, desk);
    await page.context().clearCookies();

    const early = await ask(page, 'post', '/api/auth/signin', desk.admin);
    assert.equal(early.status, 419);
    assert.equal(early.data.message, 'CSRF token mismatch.');

    assert.equal((await ask(page, 'get', '/stateful/csrf-cookie')).status, 204);
    const signedIn = await ask(page, 'post', '/api/auth/signin', desk.admin);
    assert.equal(signedIn.status, 200);
    const user = await ask(page, 'get', '/api/user');
    assert.equal(user.status, 200);
    assert.equal(user.data.email, desk.admin.email);

    assert.equal((await ask(page, 'post', '/api/auth/signout')).status, 204);
    assert.equal((await ask(page, 'get', '/api/user')).status, 401);
    await page.context().close();
  });

  it('works before script has loaded: the form signs in, the page knows who is there', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${desk.web}/signin`);
    await page.getByLabel('E-mail address').fill(desk.admin.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The e-mail address or the password is wrong.').waitFor();

    await page.getByLabel('Password').fill(desk.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/admin/);
    await context.close();
  });

  it('leads back to where a person was going, and never to another site', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${desk.web}/exchanges?state=done`);
    await page.waitForURL(/\/signin\?next=/);
    for (const elsewhere of ['//evil.test/', '/\\evil.test/', 'https://evil.test/']) {
      await page.goto(`${desk.web}/signin?next=${encodeURIComponent(elsewhere)}`);
      await signIn(page, desk.admin);
      await page.waitForURL((url) => url.pathname.startsWith('/admin'));
      assert.equal(new URL(page.url()).origin, desk.web);
      await context.clearCookies();
    }
    await context.close();
  });
});

describe('a page of one user, after another has signed in in another tab', () => {
  it('writes nothing in the account of the other, and reloads when its tab gets the focus', async () => {
    const [first, second] = [newPerson('Xaver'), newPerson('Yolanda')];
    const page = await newVisitor(browser);
    await page.goto(`${desk.web}/signup?next=%2Faccount`);
    await signUp(page, first);
    await page.waitForURL(`${desk.web}/account`);
    await page.getByLabel('Your name').fill('Xaver Xander');

    const tab = await newTab(page.context());
    await tab.context().clearCookies();
    await tab.goto(`${desk.web}/signup?next=%2Faccount`);
    await signUp(tab, second);
    await tab.waitForURL(`${desk.web}/account`);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Another person is signed in in this browser now.').waitFor();
    const reloaded = page.waitForEvent('load');
    await lookAgain(page);
    await reloaded;
    assert.equal(await page.getByLabel('Your name').inputValue(), second.name);
    await page.context().close();
  });
});

describe('sibling subdomains', () => {
  const rules = 'MAP *.example.test 127.0.0.1';
  const hosts = { webHost: 'app.example.test', apiHost: 'api.example.test' };

  it('share the session through SESSION_DOMAIN, and fail with 419 without it', async () => {
    const itsBrowser = await openBrowser({ rules });
    try {
      for (const domain of ['.example.test', '']) {
        const itsDesk = await startDesk({ ...hosts, environment: { SESSION_DOMAIN: domain } });
        try {
          const page = await pageWithAxios(itsBrowser, itsDesk);
          await page.context().clearCookies();
          await ask(page, 'get', '/stateful/csrf-cookie');
          const { status } = await ask(page, 'post', '/api/auth/signin', itsDesk.admin);
          assert.equal(status, domain === '' ? 419 : 200);
          await page.context().close();
        } finally {
          await itsDesk.stop();
        }
      }
    } finally {
      await itsBrowser.close();
    }
  });
});
