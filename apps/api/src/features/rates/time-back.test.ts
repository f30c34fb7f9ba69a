/** A provider whose own time goes back, while another one's rate stands in its place. */
import assert from 'node:assert/strict';
import { after, beforeEach, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, believed, freshHour, usual } = desk;
const { fixer, openexchangerates: primary } = fakes;
const usualPrimary = { ...primary.rates };
const URL = '/api/admin/rates/quarantine';

const both = () => configure({ providers: listed('openexchangerates', 'fixer') });
const alone = (name: 'fixer' | 'openexchangerates') => configure({ providers: listed(name) });

beforeEach(async () => {
  await forgetMarket(api);
  primary.rates = { ...usualPrimary };
  await freshHour();
  await setKey('openexchangerates');
  await both();
});

/** Of the pound: whose rate stands after a run, and why no other one does. */
async function poundAfterRun(): Promise<unknown[]> {
  api.clock.advance(MINUTE);
  const { refusals } = await run();
  const told = refusals.filter(({ unit }: Json) => unit === 'GBP');
  return [(await believed('GBP')).provider, ...told.map(({ reason }: Json) => reason)];
}

it('is not believed until its time is no older than its last, however many runs that takes', async () => {
  const good = api.clock.now();
  primary.asOf = good;
  assert.deepEqual(await poundAfterRun(), ['openexchangerates']);

  primary.asOf = new Date(good.getTime() - 2 * HOUR);
  primary.rates = { ...usualPrimary, GBP: '0.745' };
  const refused = ['fixer', 'older_than_last'];
  for (const _run of [1, 2, 3]) assert.deepEqual(await poundAfterRun(), refused);

  primary.mood = 'reset';
  assert.deepEqual(await poundAfterRun(), ['fixer']);
  primary.mood = 'well';
  assert.deepEqual(await poundAfterRun(), refused);

  await alone('fixer');
  assert.deepEqual(await poundAfterRun(), ['fixer']);
  await both();
  assert.deepEqual(await poundAfterRun(), refused);
  assert.equal((await believed('GBP')).rate, usual.GBP);

  primary.asOf = good;
  assert.deepEqual(await poundAfterRun(), ['openexchangerates']);
});

it('had its last believed by a person as well', async () => {
  await alone('fixer');
  fixer.asOf = api.clock.now();
  fixer.rates = { ...usual, GBP: '1.03' };
  await poundAfterRun();
  const [{ id, rate }] = (await admin.get(URL)).body.data;
  const answer = await admin.post(`${URL}/${id}/decision`, { decision: 'accept', rate });
  assert.equal(answer.status, 200, answer.text);

  await alone('openexchangerates');
  primary.rates = { ...usualPrimary, GBP: '0.9409' };
  assert.deepEqual(await poundAfterRun(), ['openexchangerates']);

  await configure({ providers: listed('fixer', 'openexchangerates') });
  fixer.asOf = new Date(fixer.asOf.getTime() - 10 * MINUTE);
  assert.deepEqual(await poundAfterRun(), ['openexchangerates', 'older_than_last']);
});

it('is not measured by what was asked about and never believed', async () => {
  await alone('fixer');
  const first = api.clock.now();
  fixer.asOf = new Date(first.getTime() + MINUTE);
  fixer.rates = { ...usual, GBP: '1.03' };
  assert.deepEqual(await poundAfterRun(), ['fixer']);
  assert.equal((await admin.get(URL)).body.data[0].decision, null);
  // It takes its slip back with the time before.
  fixer.asOf = first;
  fixer.rates = { ...usual };
  assert.deepEqual(await poundAfterRun(), ['fixer']);
  assert.equal((await admin.get(URL)).body.data[0].decision, 'withdrawn');
});
