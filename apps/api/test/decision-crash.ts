/**
 * A kill -9 while operators decide about money: every acknowledged decision is there, none is half
 * done, and each request can be repeated with its key.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Client, Json } from './client.ts';
import { balanced, receive, seen } from './factories/acts.ts';
import { approve, cancel, claimed, complete, create, deskPath } from './factories/exchange.ts';
import { eventually, untilServed } from './eventually.ts';
import type { TestApi } from './harness.ts';
import { send, startService } from './service.ts';

interface Decision {
  readonly number: string;
  readonly key: string;
  readonly part: string;
  readonly body: Json;
}

type Prepared = { exchange: Json; part: string; body: object };

/** Exchanges as they stand before a decision. */
function preparations(api: TestApi, admin: Client): (() => Promise<Prepared>)[] {
  const review = async () => (await claimed(api, admin)).exchange as Json;
  const approved = async () => approve(admin, await review());
  return [
    async () => ({
      exchange: await review(),
      part: '/approval',
      body: { received_amount: '120', difference: 'refund_excess' },
    }),
    async () => ({
      exchange: await review(),
      part: '/approval',
      body: { received_amount: '90', difference: 'recalculate_locked' },
    }),
    async () => ({ exchange: await review(), part: '/receipts', body: { amount: '5' } }),
    async () => ({
      exchange: await review(),
      part: '/question',
      body: { text: 'Who paid?', wants: 'answer' },
    }),
    async () => ({
      exchange: await receive(admin, await review(), '100'),
      part: '/refunds',
      body: { reason: 'Asked for.', charge: '1' },
    }),
    async () => {
      const exchange = await approved();
      const body = { payout_reference: `OUT ${exchange.number}`, charge: '0.5' };
      return { exchange, part: '/completion', body };
    },
    async () => ({
      exchange: await complete(admin, await approved()),
      part: '/reopening',
      body: { reason: 'Bounced.', charge: '2' },
    }),
    async () => {
      const exchange = await receive(admin, await approved(), '7');
      const part = `/refunds/${exchange.refunds[0].id}/payment`;
      return { exchange, part, body: { reference: 'BACK', account: 'Bank of Ann' } };
    },
    async () => {
      const { client } = await api.asMember();
      const exchange = await cancel(client, await create(client));
      return { exchange, part: '/late-receipt', body: { amount: '100', price: 'locked' } };
    },
  ];
}

/** `rounds` services, each killed after another number of answers. */
export async function killRounds(api: TestApi, admin: Client, rounds: number): Promise<void> {
  let unanswered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const decisions: Decision[] = [];
    for (const prepare of preparations(api, admin)) {
      const { exchange, part, body } = await prepare();
      const { number, version } = exchange;
      decisions.push({ number, part, body: { version, ...body }, key: randomUUID() });
    }
    unanswered += await killDuring(api, admin, decisions, round % decisions.length);
  }
  assert.ok(unanswered > rounds, 'the kills came in the middle');
}

async function killDuring(
  api: TestApi,
  admin: Client,
  decisions: readonly Decision[],
  answersBefore: number,
): Promise<number> {
  const ask = (address: string, { number, part, key, body }: Decision) =>
    untilServed(() =>
      send(address, admin, { method: 'POST', path: deskPath(number, part), key, body }),
    );
  const service = await startService(api);
  const gone = once(service.child, 'exit');
  const answered = new Map<Decision, string>();
  if (answersBefore === 0) setTimeout(() => service.child.kill('SIGKILL'), 5);
  await Promise.all(
    decisions.map(async (decision) => {
      try {
        const { status, text } = await ask(service.address, decision);
        assert.ok(status < 300, text);
        answered.set(decision, text);
        if (answered.size === answersBefore) service.child.kill('SIGKILL');
      } catch (error) {
        assert.ok(error instanceof TypeError, String(error));
      }
    }),
  );
  service.child.kill('SIGKILL');
  await gone;
  for (const [{ number }, text] of answered) {
    const { version, state } = (JSON.parse(text) as Json).data;
    const now = await seen(admin, { number });
    assert.deepEqual([now.version, now.state], [version, state], 'as acknowledged');
  }
  // What was cut off is rolled back when the server notices.
  await eventually('The books agree', async () => {
    const { data } = (await admin.get('/api/admin/reserves/reconciliation')).body;
    return data.balanced;
  });
  const again = await startService(api);
  for (const decision of decisions) {
    const { status, text } = await ask(again.address, decision);
    assert.ok(status < 300, text);
    const first = answered.get(decision);
    if (first !== undefined) assert.equal(text, first, 'the same answer');
  }
  const ended = once(again.child, 'exit');
  again.child.kill('SIGTERM');
  await ended;
  await balanced(admin);
  return decisions.length - answered.size;
}
