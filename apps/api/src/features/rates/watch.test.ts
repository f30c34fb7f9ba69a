/** Emails to admins about rates. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startRatesDesk } from '#test/factories/rates.ts';
import { overdueRates, watch } from './watch.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, run, freshHour, usual } = desk;
const { fixer } = fakes;

async function takeEmails(kind: string): Promise<Json[]> {
  const rows = await api.db
    .deleteFrom('emails')
    .where('kind', '=', kind)
    .returning(['recipient', 'subject', 'data'])
    .execute();
  return rows.toSorted((a, b) => a.recipient.localeCompare(b.recipient));
}
const facts = (email: Json) =>
  email.data.content.facts.map(({ label, value }: Json) => `${label}: ${value}`);
const status = async () => (await admin.get('/api/admin/rates/status')).body.data;

beforeEach(async () => {
  await freshHour();
  await api.db.deleteFrom('emails').execute();
  await api.db.deleteFrom('rate_watch').execute();
});

describe('a rate in quarantine', () => {
  it('is emailed to admins with the permission and a confirmed address', async () => {
    const { user: money } = await api.asAdmin({ permissions: ['money'] });
    const { user: other } = await api.asAdmin({ permissions: ['desk', 'settings'] });
    const { user: unconfirmed } = await api.asAdmin({ permissions: ['money'] });
    const change = (id: string, values: Json) =>
      api.db.updateTable('users').set(values).where('id', '=', id).execute();
    await change(unconfirmed.id, { email_verified_at: null });
    fixer.rates['USD'] = '1094.7';
    await run();
    const recipients = (await takeEmails('rates-waiting')).map(({ recipient }) => recipient);
    assert.ok(recipients.includes(money.email));
    for (const { email } of [other, unconfirmed]) assert.ok(!recipients.includes(email));
    await change(money.id, { disabled_at: new Date() });
  });

  it('is emailed once, together with the others of its run', async () => {
    fixer.rates['USD'] = '1094.7';
    fixer.rates['BTC'] = '0.00000001';
    await run();
    const [email, ...others] = await takeEmails('rates-waiting');
    assert.deepEqual(others, []);
    assert.equal(email?.subject, '2 new rates wait for your decision');
    assert.match(email?.data.content.paragraphs[0], /pairs that use them give no new quotes/);
    assert.deepEqual(facts(email), [
      'BTC: 0.00000001 BTC for 1 EUR, was 0.00001786 (-99.944008 %), from Fixer',
      'USD: 1094.7 USD for 1 EUR, was 1.0947 (+99900 %), from Fixer',
    ]);
    for (let hour = 0; hour < 3; hour += 1) {
      api.clock.advance(HOUR);
      fixer.rates['USD'] = `1094.${hour}`;
      await run();
    }
    assert.deepEqual(await takeEmails('rates-waiting'), []);
    fixer.rates['GBP'] = '858';
    await run();
    const [next] = await takeEmails('rates-waiting');
    assert.equal(next?.subject, 'A new rate of GBP waits for your decision');
    assert.equal((await status()).quarantine_waiting, 3);
  });

  it('is emailed once a day where it is withdrawn and comes again', async () => {
    const flap = async () => {
      fixer.rates['USD'] = '1094.7';
      await run();
      fixer.rates['USD'] = usual.USD;
      api.clock.advance(HOUR);
      await run();
      api.clock.advance(HOUR);
    };
    for (let times = 0; times < 4; times += 1) await flap();
    assert.equal((await takeEmails('rates-waiting')).length, 1);
    api.clock.advance(DAY);
    await run();
    await flap();
    assert.equal((await takeEmails('rates-waiting')).length, 1);
  });

  it('is emailed at once where an earlier one of the unit was decided', async () => {
    fixer.rates['GBP'] = '858';
    await run();
    assert.equal((await takeEmails('rates-waiting')).length, 1);
    const [{ id, rate }] = (await admin.get('/api/admin/rates/quarantine')).body.data;
    const url = `/api/admin/rates/quarantine/${id}/decision`;
    assert.equal((await admin.post(url, { decision: 'reject', rate })).status, 204);
    fixer.rates['GBP'] = '1100';
    await run();
    assert.equal((await takeEmails('rates-waiting')).length, 1);
  });
});

describe('old rates', () => {
  it('are emailed once when delayed, once when stale, and once when recovered', async () => {
    await run();
    assert.equal(await watch(api.deps), 'live');
    fixer.mood = { error: 'quota' };
    api.clock.advance(91 * MINUTE);
    await run();
    assert.equal(await watch(api.deps), 'live → delayed');
    const [delayed, ...more] = await takeEmails('rates-delayed');
    assert.deepEqual(more, []);
    assert.equal(delayed?.subject, 'Rates are delayed');
    assert.match(facts(delayed).join('\n'), /^BTC: delayed, last received .* UTC$/m);
    assert.match(facts(delayed).join('\n'), /^Last run: Fixer: The requests that .* used up\.$/m);
    assert.deepEqual(await status(), { quarantine_waiting: 0, delayed: 3, stale: 0 });
    api.clock.advance(10 * MINUTE);
    await watch(api.deps);
    assert.deepEqual(await takeEmails('rates-delayed'), []);

    api.clock.advance(80 * MINUTE);
    assert.equal(await watch(api.deps), 'delayed → stale');
    assert.equal((await takeEmails('rates-stale')).length, 1);

    fixer.mood = 'well';
    await run();
    assert.equal(await watch(api.deps), 'stale → live');
    assert.equal((await takeEmails('rates-recovered')).length, 1);
    assert.equal(await watch(api.deps), 'live');
    assert.deepEqual(await takeEmails('rates-recovered'), []);
  });

  it('are emailed once by several processes', async () => {
    await run();
    api.clock.advance(2 * HOUR);
    const states = await Promise.all([watch(api.deps), watch(api.deps), watch(api.deps)]);
    assert.deepEqual(states.toSorted(), ['delayed', 'delayed', 'live → delayed']);
    assert.equal((await takeEmails('rates-delayed')).length, 1);
  });

  it('are not emailed while the synchronisation is switched off', async () => {
    await run();
    api.clock.advance(2 * HOUR);
    await watch(api.deps);
    await configure({ enabled: false });
    assert.equal(await watch(api.deps), 'delayed → live');
    assert.deepEqual(await takeEmails('rates-recovered'), []);
  });

  it('are not overdue while they wait for their provider’s turn', async () => {
    const { value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
    const now = api.clock.now();
    const rate = (minutes: number) => ({
      unit: 'USD',
      base: 'EUR',
      rate: '1.1',
      inverted: false,
      provider: 'fixer',
      asOf: now,
      confirmedAt: new Date(now.getTime() - minutes * MINUTE),
      freshUntil: new Date(now.getTime() + DAY),
    });
    const states = (minutes: number, every: number, needed = ['USD']) => {
      const [first] = value.providers;
      const settings = { ...value, providers: [{ ...first, cadence_hours: every }] };
      return overdueRates([rate(minutes)], needed, settings, now).map(({ state }) => state);
    };
    assert.deepEqual([states(90, 1), states(91, 1), states(181, 1)], [[], ['delayed'], ['stale']]);
    assert.deepEqual([states(510, 8), states(511, 8)], [[], ['stale']]);
    assert.deepEqual(states(511, 8, ['GBP']), []);
  });
});
