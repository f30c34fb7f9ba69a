/** A customer's rate alerts: created, listed, deleted, and deleted with the account. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { maxRateAlerts } from '@cambist/contract/alerts';
import { startTestApi } from '#test/harness.ts';
import { addAlert, askFor, listOf, openAlertDesk } from '#test/factories/rate-alerts.ts';
import { checkRateAlerts as checkAlerts } from './rate-alerts.ts';

const api = await startTestApi({ after });
const { change, setRate } = await openAlertDesk(api);
const rowsOf = (userId: string) =>
  api.db.selectFrom('rate_alerts').selectAll().where('user_id', '=', userId).execute();

describe('POST /api/rate-alerts', () => {
  it('answers 201 with the alert and the current rate', async () => {
    const { client } = await api.asMember();
    const { id, created_at, send, receive, ...alert } = await addAlert(client, {
      target: '0.950000000000000001',
    });
    assert.deepEqual(alert, {
      pair: 'usd-to-eur',
      direction: 'at_least',
      target: '0.950000000000000001',
      state: 'waiting',
      paused_by: null,
      rate: '0.9200',
      pair_state: 'live',
      sent_at: null,
      sent_rate: null,
    });
    assert.deepEqual([send.unit, receive.unit], ['USD', 'EUR']);
    assert.deepEqual(
      (await listOf(client)).map((each) => each.id),
      [id],
    );
    assert.ok(Date.parse(created_at) > 0);
  });

  it('answers 403 for an unconfirmed address', async () => {
    const { client } = await api.asMember({ verified: false });
    const answer = await askFor(client);
    assert.deepEqual([answer.status, answer.body.code], [403, 'email_unverified']);
    assert.deepEqual(await listOf(client), []);
  });

  it('answers 422 for an unknown pair, an invalid target and one that is reached already', async () => {
    const { client } = await api.asMember();
    const cases: [Record<string, unknown>, string, RegExp][] = [
      [{ pair: 'usd-to-gold' }, 'pair', /no such pair/],
      [{ target: '0' }, 'target', /more than zero/],
      [{ target: '-1' }, 'target', /./],
      [{ target: '0.9500000000000000001' }, 'target', /./],
      [{ target: 0.95 }, 'target', /./],
      [{ direction: 'near' }, 'direction', /./],
      [{ target: '0.92' }, 'target', /1 USD gives 0\.9200 EUR now\. Enter a higher rate\./],
      [{ target: '0.5' }, 'target', /Enter a higher/],
      [{ target: '0.92', direction: 'at_most' }, 'target', /Enter a lower/],
    ];
    for (const [changes, field, words] of cases) {
      const answer = await askFor(client, changes);
      assert.equal(answer.status, 422, JSON.stringify(changes));
      assert.match(answer.body.errors[field]?.[0] ?? '', words, JSON.stringify(changes));
    }
    assert.deepEqual(await listOf(client), []);
  });

  it('answers 409 for a pair that is switched off', async () => {
    const { client } = await api.asMember();
    await change('usd-to-gbp', { active: false });
    const answer = await askFor(client, { pair: 'usd-to-gbp', target: '0.8' });
    assert.deepEqual([answer.status, answer.body.code], [409, 'pair_unavailable']);
    await change('usd-to-gbp', { active: true });
  });

  it('merges equal alerts, however the target is written', async () => {
    const { client } = await api.asMember();
    const first = await addAlert(client, { target: '0.95' });
    const again = await addAlert(client, { target: '0.9500' });
    assert.equal(again.id, first.id);
    await addAlert(client, { target: '0.90', direction: 'at_most' });
    assert.equal((await listOf(client)).length, 2);
  });

  it('answers 422 above the limit, also for concurrent requests', async () => {
    const { client, user } = await api.asMember();
    for (let cents = 1; cents < maxRateAlerts; cents += 1)
      await addAlert(client, { target: `1.${String(cents).padStart(2, '0')}` });
    const answers = await Promise.all(
      ['2.1', '2.2', '2.3', '2.4', '2.5'].map((target) => askFor(client, { target })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    assert.match(refused?.body.errors.target[0], /You have 20 rate alerts.*Delete one first/);
    assert.equal((await rowsOf(user.id)).length, maxRateAlerts);
    // An existing one does not count.
    assert.equal((await askFor(client, { target: '1.01' })).status, 201);
    const [one] = await listOf(client);
    assert.equal((await client.delete(`/api/rate-alerts/${one.id}`)).status, 204);
    assert.equal((await askFor(client, { target: '3' })).status, 201);
  });
});

describe('GET /api/rate-alerts', () => {
  it('has the reason why an alert is paused', async () => {
    const { client, user } = await api.asMember();
    await addAlert(client, { pair: 'usd-to-gbp', target: '0.9' });
    const stateNow = async () => {
      const [{ state, paused_by, rate }] = (await listOf(client)) as [Record<string, unknown>];
      return [state, paused_by, rate];
    };
    assert.deepEqual(await stateNow(), ['waiting', null, '0.7800']);
    await change('usd-to-gbp', { active: false });
    assert.deepEqual(await stateNow(), ['paused', 'pair', null]);
    await change('usd-to-gbp', { active: true });
    const users = api.db.updateTable('users').where('id', '=', user.id);
    await users.set({ email_verified_at: null }).execute();
    assert.deepEqual(await stateNow(), ['paused', 'address', '0.7800']);
    await users.set({ email_verified_at: new Date() }).execute();
    await setRate('0.9', 'usd-to-gbp');
    await checkAlerts(api.deps);
    assert.deepEqual(await stateNow(), ['sent', null, '0.9000']);
    const [{ sent_at, sent_rate }] = (await listOf(client)) as [Record<string, unknown>];
    assert.ok(sent_at);
    assert.equal(sent_rate, '0.9');
    await setRate('0.78', 'usd-to-gbp');
  });

  it('has no alert of another user, and neither can that be deleted', async () => {
    const owner = await api.asMember();
    const other = await api.asMember();
    const { id } = await addAlert(owner.client);
    assert.deepEqual(await listOf(other.client), []);
    assert.equal((await other.client.delete(`/api/rate-alerts/${id}`)).status, 404);
    assert.equal((await rowsOf(owner.user.id)).length, 1);
    assert.equal((await owner.client.delete(`/api/rate-alerts/${id}`)).status, 204);
    assert.equal((await owner.client.delete(`/api/rate-alerts/${id}`)).status, 404);
    assert.equal((await owner.client.delete('/api/rate-alerts/nonsense')).status, 404);
  });
});

describe('an account’s alerts', () => {
  it('are in its export and are deleted with it', async () => {
    const { client, user } = await api.asMember();
    await addAlert(client, { target: '0.97' });
    const { rate_alerts: exported } = (await client.get('/api/user/export')).body;
    assert.equal(exported.length, 1);
    const { pair, direction, target } = exported[0];
    assert.deepEqual([pair, direction, target], ['usd-to-eur', 'at_least', '0.970000000000000000']);
    assert.equal((await client.leave()).status, 204);
    assert.deepEqual(await rowsOf(user.id), []);
  });
});
