/** What is told of a rate that came in terms of a unit whose jump waits, until an admin has spoken of that. */
import assert from 'node:assert/strict';
import { after, beforeEach, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, believed, freshHour, usual } = desk;
const { openexchangerates: primary, fixer } = fakes;
const usualPrimary = { ...primary.rates };
const URL = '/api/admin/rates/quarantine';
const WAITS =
  'Fixer gives GBP in terms of EUR, and between the two stands a rate that waits for an admin.';
/** What stays true of its own provider. */
const LEFT_OUT = 'Open Exchange Rates gave no rate of GBP, which it gave before.';

/** The euro is a fifth dearer with both of them, and the pound comes in euros alone; the coin jumps beside it. */
beforeEach(async () => {
  await forgetMarket(api);
  primary.rates = { ...usualPrimary };
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('openexchangerates', 'fixer') });
  await run();
  api.clock.advance(HOUR);
  const { GBP: _gbp, ...rest } = usualPrimary;
  primary.rates = { ...rest, EUR: '0.7612433', BTC: '0.0000195' };
  fixer.rates = { ...usual, USD: '1.3136', GBP: '1.0302' };
  await run();
});

for (const decision of ['accept', 'refuse'] as const)
  it(`says nothing of a question any more that an admin has answered: ${decision}`, async () => {
    const note = async () => (await believed('GBP')).note;
    const waiting: Json[] = (await admin.get(URL)).body.data;
    const decide = async (one: string) => {
      const { id, rate } = waiting.find(({ unit }) => unit === one) as Json;
      const answer = await admin.post(`${URL}/${id}/decision`, { decision, rate });
      assert.equal(answer.status, 200, answer.text);
    };
    assert.equal(await note(), WAITS);
    await decide('BTC');
    assert.equal(await note(), WAITS);
    await decide('EUR');
    assert.equal(await note(), LEFT_OUT);
    assert.equal((await overview()).quarantine_waiting, 0);
  });
