/**
 * A desk whose applications are siblings under one domain: the browser's session works on both, and
 * stays while parts of the running product are killed and started again.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../apps/api/test/eventually.ts';
import { openBrowser, startDesk, type Desk } from '../support/desk.ts';
import { newVisitor, signInAsAdmin } from '../support/visitor.ts';

/** The processes that `npm start` has started, with their command lines. */
function partsOf(desk: Desk): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return Number(parent) === desk.pid ? [{ pid, command }] : [];
      } catch {
        // It ended since the list was read.
        return [];
      }
    });
}

describe('a desk under one domain', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  let isStopped = false;

  before(async () => {
    [desk, browser] = await Promise.all([
      startDesk({
        webHost: 'app.example.test',
        apiHost: 'api.example.test',
        environment: { SESSION_DOMAIN: '.example.test' },
      }),
      openBrowser({ rules: 'MAP *.example.test 127.0.0.1' }),
    ]);
    page = await newVisitor(browser);
  });
  after(async () => {
    await browser?.close();
    if (!isStopped) await desk?.stop();
  });

  const kill = (words: string) => {
    const part = partsOf(desk).find(({ command }) => command.includes(words));
    assert.ok(part, words);
    process.kill(part.pid, 'SIGKILL');
  };

  it('A page of the frontend signs in at the API through SESSION_DOMAIN', async () => {
    await page.goto(`${desk.web}/signin`);
    const answer = await page.evaluate<unknown[]>(`(async () => {
      const send = (path, rest) => fetch(${JSON.stringify(desk.api)} + path, { credentials: 'include', ...rest });
      await send('/stateful/csrf-cookie');
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(document.cookie)[1]);
      const signedIn = await send('/api/auth/signin', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xsrf-token': token },
        body: ${JSON.stringify(JSON.stringify({ email: 'nobody@example.com', password: 'x' }))},
      });
      return [signedIn.status, (await send('/api/user')).status];
    })()`);
    assert.deepEqual(answer, [422, 401], 'The token was accepted, the password was not.');
    await signInAsAdmin(page, desk);
  });

  const skip = process.platform !== 'linux' && 'finds processes in /proc';
  it('A part that was killed starts again, and the session goes on', { skip }, async () => {
    for (const [name, words] of [
      ['API', 'apps/api/build/current/main.js'],
      ['frontend', 'apps/web/build/'],
      ['database', '/bin/postgres '],
    ] as const) {
      kill(words);
      await eventually(`The ${name} answers again`, () =>
        desk.output().includes(`The ${name} answers again.`),
      );
      assert.match(desk.output(), new RegExp(`The ${name} stopped by itself and is started again`));
      const answer = await page.goto(`${desk.web}/admin`);
      assert.equal(answer?.status(), 200);
      assert.equal(new URL(page.url()).pathname, '/admin');
    }
  });

  it('Everything stops while a part is being started again', { skip }, async () => {
    const parts = partsOf(desk);
    assert.equal(parts.length, 3);
    const stops = () => desk.output().split('The API stopped by itself').length - 1;
    const before = stops();
    kill('apps/api/build/current/main.js');
    await eventually('The stop is noticed', () => stops() > before);
    isStopped = true;
    assert.equal(await desk.stop(), 0, desk.output());
    assert.deepEqual(
      parts.filter(({ pid }) => existsSync(`/proc/${pid}`)),
      [],
    );
  });
});
