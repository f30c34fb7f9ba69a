/** Every unit of the desk is asked for, so that any pair can turn to the market at once. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addCurrency } from '#test/desk.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const { configure, setKey, run, believed, fakes, admin } = await startRatesDesk({ after });

describe('a unit that no automatic pair needs', () => {
  it('is asked of the next provider where the first does not give it', async () => {
    await addCurrency(admin, 'jpy');
    const { JPY: _yen, ...others } = fakes.fixer.rates;
    fakes.fixer.rates = others;
    fakes.openexchangerates.rates = { ...fakes.openexchangerates.rates, JPY: '151.2' };
    await setKey('fixer');
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    const { attempts } = await run();
    assert.equal(attempts.length, 2);
    assert.equal((await believed('JPY'))?.provider, 'openexchangerates');
  });
});
