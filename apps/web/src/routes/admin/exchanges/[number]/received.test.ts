import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareReceived } from './received.ts';

describe('compareReceived', () => {
  it('matches by value, however many zeros were typed', () => {
    assert.deepEqual(compareReceived('500', '500.00', 2), { kind: 'matches' });
    assert.deepEqual(compareReceived('500.0', '500.00', 2), { kind: 'matches' });
  });

  it('tells how much is missing or too much, with every decimal', () => {
    assert.deepEqual(compareReceived('499.5', '500.00', 2), { kind: 'less', difference: '0.50' });
    assert.deepEqual(compareReceived('500.01', '500.00', 2), { kind: 'more', difference: '0.01' });
  });

  it('sees the last unit of amounts that a number could not hold', () => {
    assert.deepEqual(
      compareReceived('1000000000000000000000.000000000000000001', '1000000000000000000000', 18),
      { kind: 'more', difference: '0.000000000000000001' },
    );
  });

  it('does not mistake zero for nothing typed', () => {
    assert.deepEqual(compareReceived('0', '500.00', 2), { kind: 'less', difference: '500.00' });
    assert.deepEqual(compareReceived('', '500.00', 2), { kind: 'empty' });
  });

  it('refuses decimals that the currency does not have', () => {
    assert.deepEqual(compareReceived('500.001', '500.00', 2), { kind: 'too_many_decimals' });
    assert.deepEqual(compareReceived('1200.5', '1200', 0), { kind: 'too_many_decimals' });
  });

  it('does not choke on what is no amount', () => {
    assert.deepEqual(compareReceived('5e2', '500.00', 2), { kind: 'unreadable' });
    assert.deepEqual(compareReceived('9'.repeat(26), '500.00', 2), { kind: 'unreadable' });
  });
});
