import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExchangeSummary } from '@cambist/contract/exchanges';
import { hasUnseen, twinsOf } from './twins.ts';

const now = '2026-05-04T12:00:00.000Z';
const quote = { pair: 'eur-btc', send_amount: '100.00', receive_amount: '0.00150000' };

function open(change: Partial<ExchangeSummary>): ExchangeSummary {
  const made = {
    number: 'CX-0000-0001',
    ...quote,
    receive_amount: '0.00149000',
    created_at: '2026-05-04T11:00:00.000Z',
    ...change,
  };
  return made as ExchangeSummary;
}

describe('twinsOf', () => {
  it('finds the same pair with one of the same amounts', () => {
    const bySend = open({});
    const byReceive = open({ send_amount: '99.10', receive_amount: '0.00150000' });
    assert.deepEqual(twinsOf([bySend, byReceive], quote, now), [bySend, byReceive]);
  });

  it('leaves out another pair, other amounts and what is older than six hours', () => {
    const others = [
      open({ pair: 'eur-eth' }),
      open({ send_amount: '100.01' }),
      open({ created_at: '2026-05-04T05:59:59.000Z' }),
    ];
    assert.deepEqual(twinsOf(others, quote, now), []);
  });
});

describe('hasUnseen', () => {
  it('is so for each exchange that was not named before, and only then', () => {
    const [first, second] = [{ number: 'CX-0000-0001' }, { number: 'CX-0000-0002' }];
    assert.equal(hasUnseen([first], []), true);
    assert.equal(hasUnseen([first, second], [first]), true);
    assert.equal(hasUnseen([second], [first, second]), false);
    assert.equal(hasUnseen([], []), false);
  });
});
