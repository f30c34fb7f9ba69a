import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeedKey } from './deed-key.ts';

const failure = (status: number, code: string) => ({
  status,
  code,
  message: '',
  errors: {},
  request_id: null,
});
const body = { version: 3, received_amount: '500.00' };

describe('DeedKey', () => {
  it('gives a new key to every deed', () => {
    const key = new DeedKey();
    const first = key.for(body);
    key.answered(null);
    assert.match(first, /^[0-9a-f]{32}$/);
    assert.notEqual(key.for(body), first);
  });

  it('keeps the key while the answer is missing', () => {
    const key = new DeedKey();
    const first = key.for(body);
    key.answered(failure(0, 'timeout'));
    assert.equal(key.for({ ...body }), first);
    key.answered(failure(502, 'http_502'));
    assert.equal(key.for(body), first);
    key.answered(failure(409, 'idempotency_in_progress'));
    assert.equal(key.for(body), first);
  });

  it('takes a new key after a refusal, which would be replayed for ever', () => {
    const key = new DeedKey();
    const first = key.for(body);
    key.answered(failure(409, 'version_conflict'));
    assert.notEqual(key.for(body), first);
  });

  it('takes a new key for another request, which the old key would refuse', () => {
    const key = new DeedKey();
    const first = key.for(body);
    key.answered(failure(0, 'unreachable'));
    assert.notEqual(key.for({ ...body, received_amount: '500.01' }), first);
  });
});
