import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lessCharge } from './less-charge.ts';

it('takes the charge off a refund, exactly', () => {
  const usd = { decimals: 2 };
  assert.equal(lessCharge({ amount: '510.00', charge: '5.00' }, usd), '505.00');
  assert.equal(lessCharge({ amount: '510.00', charge: '0.00' }, usd), '510.00');
  const eth = { amount: '1000000000000000000000', charge: '0.000000000000000001' };
  assert.equal(lessCharge(eth, { decimals: 18 }), '999999999999999999999.999999999999999999');
});
