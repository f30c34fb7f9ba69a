import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openingAmount, previewOf, previewRate, type PreviewTerms } from './preview.ts';

const none = { fixed: '0', percent: '0' };
const terms: PreviewTerms = {
  send_decimals: 2,
  receive_decimals: 2,
  mid_rate: '0.92',
  margin_percent: '0.5',
  rate_digits: 6,
  send_fee: { fixed: '0', percent: '0.5' },
  receive_fee: none,
};

describe('previewRate', () => {
  it('takes the margin off the mid rate, rounded down to the digits of the pair', () => {
    assert.equal(previewRate(terms), '0.915400');
    assert.equal(
      previewRate({ ...terms, mid_rate: '0.9216401', margin_percent: '0', rate_digits: 6 }),
      '0.921640',
    );
  });

  it('has none while a figure is missing or leaves nothing', () => {
    assert.equal(previewRate({ ...terms, mid_rate: '' }), null);
    assert.equal(previewRate({ ...terms, mid_rate: '0.0001', rate_digits: 2 }), null);
    assert.equal(previewRate({ ...terms, rate_digits: 19 }), null);
  });
});

describe('previewOf', () => {
  it("gives the customer's lines and what the desk keeps of them", () => {
    const preview = previewOf(terms, '500');
    assert.ok(preview.kind === 'price');
    assert.equal(preview.quote.send_fee, '2.50');
    assert.equal(preview.quote.exchanged_amount, '497.50');
    assert.equal(preview.quote.receive_amount, '455.41');
    // 497.50 at 0.92 is 457.70; 500.00 at 0.92 is 460.00.
    assert.equal(preview.spread, '2.29');
    assert.equal(preview.kept, '4.59');
  });

  it('counts the payout fee as kept, not as spread', () => {
    const preview = previewOf(
      { ...terms, send_fee: none, receive_fee: { fixed: '1.00', percent: '0' } },
      '500',
    );
    assert.ok(preview.kind === 'price');
    assert.equal(preview.quote.receive_amount, '456.70');
    assert.equal(preview.spread, '2.30');
    assert.equal(preview.kept, '3.30');
  });

  it("shows a loss where the margin is in the customer's favour", () => {
    const preview = previewOf({ ...terms, margin_percent: '-1', send_fee: none }, '100');
    assert.ok(preview.kind === 'price');
    assert.equal(preview.kept, '-0.92');
  });

  it('keeps every digit of large amounts and small units', () => {
    const preview = previewOf(
      {
        ...terms,
        send_decimals: 18,
        receive_decimals: 18,
        margin_percent: '0',
        send_fee: none,
        mid_rate: '1',
      },
      '999999999999999999999999.000000000000000001',
    );
    assert.ok(preview.kind === 'price');
    assert.equal(preview.quote.receive_amount, '999999999999999999999999.000000000000000001');
    assert.equal(preview.kept, '0.000000000000000000');
  });

  it('says why there is no price', () => {
    assert.equal(previewOf({ ...terms, margin_percent: '' }, '500').kind, 'incomplete');
    assert.equal(previewOf({ ...terms, margin_percent: '100' }, '500').kind, 'rate_too_small');
    assert.equal(previewOf(terms, '').kind, 'rate_only');
    assert.equal(previewOf(terms, '0.01').kind, 'amount_too_small');
    assert.equal(previewOf(terms, '1.001').kind, 'unreadable');
    assert.equal(previewOf(terms, '9999999999999999999999999').kind, 'too_large');
  });
});

describe('openingAmount', () => {
  it('is ten times the least, within the limits', () => {
    assert.equal(openingAmount('25.00', '25000.00', 2), '250.00');
    assert.equal(openingAmount('25.00', '100.00', 2), '25.00');
  });

  it('is nothing while the limits are being typed', () => {
    assert.equal(openingAmount('', '25000.00', 2), '');
    assert.equal(openingAmount('1.001', '25000.00', 2), '');
  });
});
