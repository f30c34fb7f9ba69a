/** Mail servers that take their time: for their last word, for every word, or for every byte. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, describe, it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { transaction } from '#platform/database.ts';
import type { Cleanup } from '#test/database.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { startSmtp, until } from '#test/smtp.ts';
import { deliver, type Outgoing } from './delivery.ts';
import { post, sendLetter } from './mail.ts';
import { openPatience } from './patience.ts';

const held: (() => void)[] = [];
const isHeld = (email: string) => email.startsWith('slow');
const smtp = await startSmtp(
  { after },
  {
    accept: ({ recipients: [to = ''] }) =>
      isHeld(to) ? new Promise<void>((go) => void held.push(go)) : undefined,
  },
);
// An answer's time is long here, so that no letter goes because it has passed.
const env = { MAIL_URL: smtp.url.replace('timeout=2', 'timeout=60') };
const api = await startTestApi({ after }, { jobs: true, env });
const idle = await startTestApi({ after }, { env });
const letGo = () => held.splice(0).forEach((go) => go());
afterEach(() => {
  mock.timers.reset();
  letGo();
});

async function write(email: string, to: TestApi = api): Promise<string> {
  await transaction(to.db, (tx) =>
    post(to.deps, tx, {
      kind: 'test-kind',
      to: { email, userId: null, name: 'Alex Marlow', locale: 'en', proved: true },
      content: { subject: `To ${email}`, preview: '', heading: 'Hello', paragraphs: ['Words.'] },
    }),
  );
  return (await rowOf(email, to)).id;
}

/** Asks for a letter that is being sent. */
async function askAgain(id: string): Promise<void> {
  let isDone = false;
  const asked = sendLetter(idle.deps, id).then(() => (isDone = true));
  await Promise.race([asked, until(() => isDone || held.length > 1)]);
  assert.equal(held.length, 1);
}

const rowOf = (email: string, of: TestApi = api) =>
  of.db.selectFrom('letters').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow();
const copies = (email: string) =>
  smtp.received.filter(({ recipients }) => recipients.includes(email)).length;

describe('a server that is slow to say whether it takes a letter', () => {
  it('gets it once, and eight of them hold up no other letter', async () => {
    const slow = Array.from({ length: 8 }, (_, at) => `slow-${at}@example.com`);
    for (const email of slow) await write(email);
    await write('quick@example.com');
    await until(() => copies('quick@example.com') === 1, 30_000);
    await until(() => held.length === 8);
    // Should this process end, a job waits for the end of the lease.
    const waiting = () =>
      api.deps.sql`select from jobs.job where name = 'letters' and state = 'created'`;
    await until(async () => (await waiting()).length === 8);
    letGo();
    for (const email of slow) await until(async () => (await rowOf(email)).state === 'sent');
    assert.deepEqual(Array.from(await waiting()), [], 'Nobody needs those jobs any more.');
    assert.deepEqual(slow.map(copies), Array(8).fill(1));
    assert.deepEqual([(await rowOf(slow[0] ?? '')).attempts, held.length], [1, 0]);
  });

  it('is waited for by one worker, whose lease goes on', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const email = 'slow-lease@example.com';
    const id = await write(email, idle);
    const sending = sendLetter(idle.deps, id);
    await until(() => held.length === 1);
    for (let passed = 0; passed < 5 * MINUTE; passed += 30 * SECOND) {
      idle.clock.advance(30 * SECOND);
      mock.timers.tick(30 * SECOND);
      const now = idle.clock.now();
      await until(async () => {
        const { next_attempt_at } = await rowOf(email, idle);
        return (next_attempt_at?.getTime() ?? 0) > now.getTime() + 80 * SECOND;
      }, SECOND);
      await askAgain(id);
    }
    letGo();
    await sending;
    assert.deepEqual([(await rowOf(email, idle)).attempts, copies(email)], [1, 1]);
  });

  it('is slow from one second on, and not where it answers before', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const [slow, quick] = [t.mock.fn(), t.mock.fn()];
    const opened = [slow, quick].map((onSlow) => openPatience({ stepMs: MINUTE, onSlow }));
    for (const { logger } of opened) logger.log({ tnx: 'message' });
    t.mock.timers.tick(SECOND - 1);
    assert.equal(slow.mock.callCount(), 0);
    opened[1]?.end();
    t.mock.timers.tick(1);
    assert.deepEqual([slow.mock.callCount(), quick.mock.callCount()], [1, 0]);
    opened[0]?.end();
  });

  it('is given up after ten minutes', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const slow = t.mock.fn();
    const { signal, logger } = openPatience({ stepMs: 10 * SECOND, onSlow: slow });
    logger.log({ tnx: 'server' });
    t.mock.timers.tick(9 * SECOND);
    assert.equal(slow.mock.callCount(), 0);
    logger.log({ tnx: 'message' });
    t.mock.timers.tick(10 * MINUTE - 1);
    assert.equal(slow.mock.callCount(), 1);
    assert.equal(signal.aborted, false);
    t.mock.timers.tick(1);
    assert.match(String(signal.reason), /It may arrive all the same/);
  });
});

describe('two workers that are asked for one letter', () => {
  it('send it once', async () => {
    const email = 'slow-two-workers@example.com';
    const id = await write(email, idle);
    const first = sendLetter(idle.deps, id);
    await until(() => held.length === 1);
    await askAgain(id);
    letGo();
    await first;
    assert.deepEqual([copies(email), (await rowOf(email, idle)).attempts], [1, 1]);
  });
});

/** Answers each line after a while, or byte by byte without an end. */
async function startTrickle(t: Cleanup, say: (socket: Socket, line: string) => Promise<void>) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 here\r\n');
    socket.on('data', (line) => void say(socket, String(line)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?timeout=1`;
}

const outgoing: Outgoing = {
  id: '00000000-0000-7000-8000-000000000000',
  messageId: '<one@example.com>',
  date: new Date(),
  to: { name: '', address: 'reader@example.com' },
  subject: 'Hello',
  text: 'Words.',
  html: '<p>Words.</p>',
};

async function triedFor(t: Cleanup, url: string, longestMs?: number): Promise<number> {
  const there = await startTestApi(t, { env: { MAIL_URL: url } });
  const began = performance.now();
  await assert.rejects(deliver(there.deps, outgoing, { longestMs }), {
    message: 'The mail server did not answer in time.',
  });
  return performance.now() - began;
}

describe('a server that', () => {
  it('sends a byte now and then has no more time for an answer than a silent one', async (t) => {
    const url = await startTrickle(t, async (socket) => {
      while (!socket.destroyed) {
        socket.write('250-x\r\n');
        await sleep(100);
      }
    });
    const took = await triedFor(t, url);
    assert.ok(took >= 900 && took < 20_000, `${took}`);
  });

  it('uses up its time for each answer is given up before the letter is handed over', async (t) => {
    const url = await startTrickle(t, async (socket) => {
      await sleep(600);
      socket.write('250 x\r\n');
    });
    const took = await triedFor(t, url, 1500);
    assert.ok(took >= 1400 && took < 20_000, `${took}`);
  });
});
