/** The alerts that a rate triggers. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { addAlert, listOf, openAlertDesk } from '#test/factories/rate-alerts.ts';
import { checkRateAlerts as checkAlerts } from './rate-alerts.ts';

const api = await startTestApi({ after });
const { change, setRate } = await openAlertDesk(api);
const check = () => checkAlerts(api.deps);
const alertsTo = async (email: string) =>
  (await emailsTo(api, email)).filter(({ kind }) => kind === 'rate-alert');

beforeEach(async () => {
  await api.db.deleteFrom('rate_alerts').execute();
  await api.db.deleteFrom('email_counts').execute();
  await setRate('0.92');
  await check();
});

describe('an alert', () => {
  it('is reached at exactly its target, not one eighteenth decimal below', async () => {
    await change('usd-to-eur', { rate_digits: 18 });
    const { client, user } = await api.asMember();
    await addAlert(client, { target: '0.95' });
    await setRate('0.949999999999999999');
    assert.equal(await check(), 0);
    await setRate('0.95');
    assert.equal(await check(), 1);
    const [email] = await alertsTo(user.email);
    assert.equal(email?.subject, 'Rate alert: 1 USD = 0.950000000000000000 EUR');
    await change('usd-to-eur', { rate_digits: 4 });
  });

  it('is sent once, and again only after it is created again', async () => {
    const { client, user } = await api.asMember();
    await addAlert(client, { target: '0.90', direction: 'at_most' });
    for (const rate of ['0.89', '0.95', '0.88', '0.92']) {
      await setRate(rate);
      await check();
    }
    assert.equal((await alertsTo(user.email)).length, 1);
    const [alert] = await listOf(client);
    assert.deepEqual([alert.state, alert.sent_rate], ['sent', '0.89']);
    await addAlert(client, { target: '0.90', direction: 'at_most' });
    assert.equal((await listOf(client))[0].state, 'waiting');
    await setRate('0.90');
    assert.equal(await check(), 1);
  });
});

describe('no email is sent', () => {
  async function reached(): Promise<{ client: Client; user: Json }> {
    const member = await api.asMember();
    await addAlert(member.client, { target: '0.95' });
    return member;
  }

  it('for a pair that is off, closed or stale', async () => {
    await reached();
    // Never during this test.
    const never = [{ days: [new Date().getUTCDay() === 1 ? 4 : 1], from: '00:00', to: '00:01' }];
    await change('usd-to-eur', { hours: never });
    await setRate('0.96');
    assert.equal(await check(), 0);
    await change('usd-to-eur', { hours: null, active: false });
    assert.equal(await check(), 0);
    await change('usd-to-eur', { active: true });
    const pairs = api.db.updateTable('pairs').where('slug', '=', 'usd-to-eur');
    await pairs.set({ mid_until: new Date(Date.now() - 1000) }).execute();
    assert.equal(await check(), 0);
    await pairs.set({ mid_until: null }).execute();
    assert.equal(await check(), 1);
  });

  it('to an unconfirmed address or a disabled account', async () => {
    const { user } = await reached();
    await setRate('0.96');
    const users = api.db.updateTable('users').where('id', '=', user.id);
    await users.set({ email_verified_at: null }).execute();
    assert.equal(await check(), 0);
    await users.set({ email_verified_at: new Date(), disabled_at: new Date() }).execute();
    assert.equal(await check(), 0);
    await users.set({ disabled_at: null }).execute();
    assert.equal(await check(), 1);
  });

  it('to an address at its limit of emails, until an hour later', async () => {
    const { user } = await reached();
    const full = 30;
    await check();
    await api.deps.sql`delete from email_counts`;
    await setRate('0.93');
    const { countEmail } = await import('../email/limit.ts');
    const to = { email: user.email, userId: user.id, name: '', locale: 'en', proved: true };
    await api.db.transaction().execute(async (tx) => {
      for (let count = 0; count < full; count += 1)
        await countEmail(api.deps, tx, { kind: 'rate-alert', to });
    });
    await setRate('0.96');
    assert.equal(await check(), 0);
    await api.deps.sql`delete from email_counts`;
    assert.equal(await check(), 0, 'checked again after an hour, not each time');
    await api.deps
      .sql`update rate_alerts set postponed_until = postponed_until - interval '1 hour'`;
    assert.equal(await check(), 1);
    assert.equal((await alertsTo(user.email)).length, 1);
  });
});

describe('a check', () => {
  it('sends each email once, for any number of alerts and concurrent checks', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => api.asMember()));
    for (const { client } of members) await addAlert(client, { target: '0.95' });
    // More than one batch.
    const { user } = await api.asMember();
    const { id: pairId } = await api.db
      .selectFrom('pairs')
      .select('id')
      .where('slug', '=', 'usd-to-eur')
      .executeTakeFirstOrThrow();
    await api.deps.sql`
      with people as (
        insert into users (id, name, email, email_verified_at)
        select gen_random_uuid(), 'Many', 'many' || n || '@example.com', now()
        from generate_series(1, 60) n returning id)
      insert into rate_alerts (id, user_id, pair_id, direction, target)
      select gen_random_uuid(), id, ${pairId}, 'at_least', 0.95 from people`;
    await setRate('0.95');
    const sent = await Promise.all([check(), check(), check()]);
    assert.equal(
      sent.reduce((sum, each) => sum + each, 0),
      66,
    );
    assert.equal(await check(), 0);
    const { written } = await api.db
      .selectFrom('emails')
      .select((column) => column.fn.countAll<number>().as('written'))
      .where('recipient', 'like', 'many%')
      .executeTakeFirstOrThrow();
    assert.equal(written, 60);
    for (const { user: each } of members) assert.equal((await alertsTo(each.email)).length, 1);
    assert.deepEqual(await alertsTo(user.email), []);
  });

  it('that fails in the middle sends nothing, and the next one sends everything once', async () => {
    const members = await Promise.all(Array.from({ length: 3 }, () => api.asMember()));
    for (const { client } of members) await addAlert(client, { target: '0.95' });
    await setRate('0.95');
    let written = 0;
    const enqueue: Jobs['enqueue'] = async (...job) => {
      if ((written += 1) === 3) throw new Error('The process dies.');
      await api.deps.jobs.enqueue(...job);
    };
    const jobs = { ...api.deps.jobs, enqueue };
    await assert.rejects(checkAlerts({ ...api.deps, jobs }), /dies/);
    for (const { user } of members) assert.deepEqual(await alertsTo(user.email), []);
    assert.equal(await check(), 3);
    assert.equal(await check(), 0);
    for (const { user } of members) assert.equal((await alertsTo(user.email)).length, 1);
  });
});
