/**
 * State × action × actor: what the table allows is done through the API, and everything else is refused
 * without an effect. Each state is reached as people reach it.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { exchangeStates, type ExchangeState } from '@cambist/contract/exchanges';
import { endOverdue } from '#features/exchanges/actions/end-unpaid.ts';
import { openContext } from '#features/exchanges/context.ts';
import type { Client, Json } from './client.ts';
import { act, balanced, done, own, receive, seen } from './factories/acts.ts';
import * as exchanges from './factories/exchange.ts';
import { acts, type World } from './history-acts.ts';

const { api, admin } = await exchanges.startTestDesk({ after }, { evidence: 'either' });
const { client: other } = await api.asAdmin();
const { client: clerk } = await api.asAdmin({ permissions: ['content'] });
const { client: stranger } = await api.asMember();
const world: World = { api, operators: [admin, other], customers: [admin, admin], reference: 0 };

interface Placed {
  readonly client: Client;
  readonly exchange: Json;
}

/** A new exchange in the state, under the operator's claim where it can be claimed. */
const reach: Readonly<Record<ExchangeState, () => Promise<Placed>>> = {
  async awaiting_payment() {
    const { client } = await api.asMember();
    return { client, exchange: await exchanges.create(client) };
  },
  async payment_submitted() {
    const { client } = await api.asMember();
    return { client, exchange: await exchanges.submitted(client) };
  },
  under_review: () => exchanges.claimed(api, admin),
  async on_hold() {
    const { client, exchange } = await reach.under_review();
    const question = { text: 'Who paid?', wants: 'answer' };
    return { client, exchange: await done(act(admin, exchange, '/question', question)) };
  },
  async approved() {
    const { client, exchange } = await reach.under_review();
    return { client, exchange: await exchanges.approve(admin, exchange) };
  },
  async completed() {
    const { client, exchange } = await reach.approved();
    return { client, exchange: await exchanges.complete(admin, exchange) };
  },
  async cancelled() {
    const { client, exchange } = await reach.awaiting_payment();
    return { client, exchange: await exchanges.cancel(client, exchange) };
  },
  async expired() {
    const placed = await reach.awaiting_payment();
    await exchanges.passPayBy(api, placed.exchange.number);
    await endOverdue(await openContext(api.deps));
    return { ...placed, exchange: await seen(admin, placed.exchange) };
  },
  async rejected() {
    const { client, exchange } = await reach.under_review();
    return {
      client,
      exchange: await done(act(admin, exchange, '/rejection', { reason: 'None.' })),
    };
  },
  async refund_pending() {
    const { client, exchange } = await reach.under_review();
    const paid = await receive(admin, exchange, '100');
    return { client, exchange: await done(act(admin, paid, '/refunds', { reason: 'Asked.' })) };
  },
  async refunded() {
    const { client, exchange } = await reach.refund_pending();
    const body = { reference: 'BACK', account: 'Bank of Ann' };
    const path = `/refunds/${exchange.refunds[0].id}/payment`;
    return { client, exchange: await done(act(admin, exchange, path, body)) };
  },
};

for (const state of exchangeStates) {
  describe(`an exchange that is ${state.replaceAll('_', ' ')}`, () => {
    it('takes from its owner and from operators what the table allows, and nothing else', async () => {
      const names = acts('100', -1, undefined).map(({ name, who }) => [name, who] as const);
      let placed = await reach[state]();
      for (const [name, who] of names) {
        const before = await seen(admin, placed.exchange);
        assert.equal(before.state, state);
        const { client } = placed;
        const all = who === 'operator' ? before.allowed : (await own(client, before)).allowed;
        const isAllowed = all.includes(name);
        // The whole amount once; a second payment elsewhere.
        const amount = before.state === 'under_review' ? '100' : '1';
        const doIt = acts(amount, -1, undefined).find((each) => each.name === name);
        assert.ok(doIt);
        for (const [caller, wanted] of [
          [api.client(), [401, 419]],
          [stranger, who === 'operator' ? [403] : [404]],
          [who === 'operator' ? clerk : admin, who === 'operator' ? [403] : [404]],
        ] as const) {
          const answer = await doIt.send(world, before, caller, caller);
          assert.ok(
            wanted.includes(answer.status as never),
            `${name}: ${answer.status} ${answer.text}`,
          );
        }
        const { status, text } = await doIt.send(world, before, client, admin);
        if (isAllowed) {
          assert.ok(status === 200 || status === 201, `${name} in ${state}: ${status} ${text}`);
          const { state: now } = await seen(admin, before);
          assert.ok(doIt.leads[state]?.includes(now), `${name}: ${state} → ${now}`);
          placed = await reach[state]();
        } else {
          assert.equal(status, 409, `${name} in ${state}: ${text}`);
          assert.deepEqual((await seen(admin, before)).version, before.version);
        }
      }
      await balanced(admin);
    });
  });
}
