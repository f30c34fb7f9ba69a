/**
 * Parts of a running product die: they are started again, and who was signed in
 * still is. Needs no browser, only both applications.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDesk, type Desk } from './desk.ts';

const PATIENCE_MS = 30_000;

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
        // It ended while we looked.
        return [];
      }
    });
}

/** Cookies of somebody who has just signed up. */
async function signUp(desk: Desk): Promise<string> {
  const headers = { origin: desk.web, 'content-type': 'application/json' };
  const first = await fetch(`${desk.api}/stateful/csrf-cookie`, { headers });
  const cookies = cookiesOf(first);
  const answer = await fetch(`${desk.api}/api/auth/signup`, {
    method: 'POST',
    headers: {
      ...headers,
      cookie: cookies.join('; '),
      'x-xsrf-token': (cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN=')) ?? '').slice(11),
    },
    body: JSON.stringify({
      name: 'Noor Haddad',
      email: 'noor@example.com',
      password: 'a purse full of crowns',
      terms_accepted: true,
    }),
  });
  assert.equal(answer.status, 201, await answer.text());
  return cookiesOf(answer).join('; ');
}

function cookiesOf(answer: Response): string[] {
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
}

describe(
  'a part that dies',
  { skip: process.platform !== 'linux' && 'finds processes in /proc' },
  () => {
    let desk: Desk;
    let cookie: string;
    let stopped = false;

    before(async () => {
      desk = await startDesk();
      cookie = await signUp(desk);
    });
    after(async () => {
      if (!stopped) await desk?.stop();
    });

    async function isBack(name: string): Promise<void> {
      const end = Date.now() + PATIENCE_MS;
      while (!desk.output().includes(`The ${name} answers again.`)) {
        assert.ok(Date.now() < end, desk.output());
        await sleep(100);
      }
      const options = { headers: { origin: desk.web, cookie } };
      const user = await fetch(`${desk.api}/api/user`, options);
      assert.equal(user.status, 200, await user.text());
      assert.equal((await fetch(desk.web)).status, 200);
    }

    for (const [name, words] of [
      ['API', 'apps/api/src/main.ts'],
      ['frontend', 'apps/web/build/'],
      ['database', '/bin/postgres '],
    ] as const) {
      it(`comes back: the ${name}`, async () => {
        const part = partsOf(desk).find(({ command }) => command.includes(words));
        assert.ok(part, words);
        process.kill(part.pid, 'SIGKILL');
        await isBack(name);
        assert.match(
          desk.output(),
          new RegExp(`The ${name} stopped by itself and is started again`),
        );
      });
    }

    it('is not missed when everything is stopped while it is waited for', async () => {
      const parts = partsOf(desk);
      assert.equal(parts.length, 3);
      const api = parts.find(({ command }) => command.includes('apps/api/src/main.ts'));
      process.kill(api?.pid ?? 0, 'SIGKILL');
      const times = () => desk.output().split('The API stopped by itself').length - 1;
      const end = Date.now() + PATIENCE_MS;
      while (times() < 2) {
        assert.ok(Date.now() < end, desk.output());
        await sleep(20);
      }
      stopped = true;
      assert.equal(await desk.stop(), 0, desk.output());
      const left = parts.filter(({ pid }) => existsSync(`/proc/${pid}`));
      assert.deepEqual(left, []);
    });
  },
);
