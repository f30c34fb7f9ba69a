/** Two admins and one payout: it is claimed before it is sent. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import {
  approve,
  claim,
  claimed,
  complete,
  deskPath,
  eventsOf,
  startTestDesk,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const { client: second } = await api.asAdmin({ name: 'Sam Field' });

const lapse = (number: string) =>
  api.db
    .updateTable('exchanges')
    .set({ claimed_until: new Date(Date.now() - MINUTE) })
    .where('number', '=', number)
    .execute();
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.code];

describe('the claim of a payout', () => {
  const holdersOf = async (number: string) =>
    (await second.get(deskPath(number))).body.data.claim?.by ?? null;

  it('allows only its holder to complete until it is released, without an email', async () => {
    const { client, exchange } = await claimed(api, admin);
    const { number } = exchange;
    const approved = await approve(admin, exchange);
    const seen = (await client.get(`/api/exchanges/${number}`)).body.data;
    const held = await claim(admin, approved);
    assert.deepEqual(
      [held.state, held.version, held.claim.mine, held.allowed],
      [
        'approved',
        approved.version,
        true,
        ['claim', 'release', 'record_receipt', 'complete', 'refund', 'note'],
      ],
    );
    const mine = await admin.get('/api/admin/exchanges', {
      query: { queue: 'mine', per_page: 100 },
    });
    assert.ok(mine.body.data.some((row: Json) => row.number === number));

    const body = { version: approved.version, payout_reference: 'SEPA-TWO' };
    const completion = deskPath(number, '/completion');
    for (const refused of [
      await second.post(deskPath(number, '/claim'), { version: approved.version }),
      await second.post(completion, body, { key: true }),
    ])
      assert.deepEqual(refusal(refused), [409, 'already_claimed']);
    const ask = { query: { version: approved.version } };
    const claimPath = deskPath(number, '/claim');
    assert.deepEqual(refusal(await second.delete(claimPath, undefined, ask)), [409, 'not_claimed']);

    const left = (await admin.delete(claimPath, undefined, ask)).body.data;
    assert.deepEqual([left.state, left.claim], ['approved', null]);
    assert.deepEqual(
      (await eventsOf(api, number)).slice(-2).map((event) => [event.action, event.to_state]),
      [
        ['claim', 'approved'],
        ['release', 'approved'],
      ],
    );
    const now = (await client.get(`/api/exchanges/${number}`)).body.data;
    assert.deepEqual(now.timeline, seen.timeline);
    const done = await complete(second, left);
    assert.deepEqual([done.state, done.claim], ['completed', null]);
    const read = async (who: typeof admin) =>
      (await who.get(deskPath(number))).body.data.timeline.at(-1);
    assert.deepEqual(
      (await Promise.all([read(second), read(admin)])).map(({ action, mine }) => [action, mine]),
      [
        ['complete', true],
        ['complete', false],
      ],
    );
  });

  it('goes to one of two concurrent requests, and to the other once it has lapsed', async () => {
    const { exchange } = await claimed(api, admin);
    const { number, version } = await approve(admin, exchange);
    const answers = await Promise.all(
      [admin, second].map((each) => each.post(deskPath(number, '/claim'), { version })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    const holder = await holdersOf(number);
    await lapse(number);
    assert.equal(await holdersOf(number), null);
    const [same, other] = holder === 'Sam Field' ? [second, admin] : [admin, second];
    await claim(same, { number, version });
    const claims = async () =>
      (await eventsOf(api, number)).filter((event) => event.from_state === 'approved').length;
    assert.equal(await claims(), 2, 'after a lapse it begins anew');
    await claim(same, { number, version });
    assert.equal(await claims(), 2, 'to renew it is no event');
    await lapse(number);
    const taken = await claim(other, { number, version });
    assert.deepEqual([taken.claim.mine, taken.version], [true, version]);
  });
});
