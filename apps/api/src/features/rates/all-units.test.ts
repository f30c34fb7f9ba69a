/** What no pair follows costs no request of its own, and is taken from whoever is asked. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const { configure, setKey, run, believed, fakes, api, admin } = await startRatesDesk({ after });

describe('a unit that no automatic pair needs', () => {
  before(async () => {
    await addCurrency(admin, 'jpy');
    await addCurrency(admin, 'pln', { active: false });
    const { JPY: _yen, PLN: _zloty, ...others } = fakes.fixer.rates;
    fakes.fixer.rates = others;
    fakes.openexchangerates.rates = {
      ...fakes.openexchangerates.rates,
      JPY: '151.2',
      PLN: '3.912',
    };
    await setKey('fixer');
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
  });

  it('is not what the next provider is asked for, though a manual pair sells it', async () => {
    await addPair(admin, 'eur', 'jpy', { mid_rate: '165.5' });
    const { attempts, outcome } = await run();
    assert.deepEqual([attempts.length, outcome], [1, 'updated']);
    assert.equal(fakes.openexchangerates.requests.length, 0);
    assert.equal(await believed('JPY'), undefined);
  });

  it('is taken from the next provider where that is asked for another', async () => {
    await addPair(admin, 'usd', 'jpy', { rate_mode: 'automatic' });
    api.clock.advance(HOUR);
    assert.equal((await run()).attempts.length, 2);
    for (const unit of ['JPY', 'PLN'])
      assert.equal((await believed(unit))?.provider, 'openexchangerates', unit);
  });

  it('is told of as left out by who gave it before', async () => {
    const { PLN: _zloty, ...others } = fakes.openexchangerates.rates;
    fakes.openexchangerates.rates = others;
    api.clock.advance(HOUR);
    const { refusals, outcome, missing } = await run();
    assert.deepEqual(
      refusals.map(({ provider, unit, reason }: Json) => [provider, unit, reason]),
      [['openexchangerates', 'PLN', 'left_out']],
    );
    assert.deepEqual([outcome, missing], ['updated', []]);
    const { note } = (await believed('PLN')) ?? {};
    assert.equal(note, 'Open Exchange Rates gave no rate of PLN, which it gave before.');
  });

  it('is told apart by a test from what pairs need, and the provider’s own base is no lack', async () => {
    const { openexchangerates } = fakes;
    openexchangerates.rates = {};
    const answer = await admin.post('/api/admin/rates/providers/openexchangerates/test', {});
    const { missing, lacking } = answer.body.data;
    assert.deepEqual(missing, ['BTC', 'EUR', 'GBP', 'JPY', 'PLN']);
    assert.deepEqual(lacking, ['BTC', 'EUR', 'GBP', 'JPY']);
  });
});
