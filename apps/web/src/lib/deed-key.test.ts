import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn } from './stand-in.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
const { ApiError } = await import('./api.ts');
const { DeedKey } = await import('./deed-key.ts');

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

  it('keeps the key where the service was not asked', () => {
    const key = new DeedKey();
    const first = key.for(body);
    key.answered(failure(0, 'timeout'));
    for (const [status, code] of [
      [401, 'unauthenticated'],
      [429, 'too_many_requests'],
    ] as const) {
      key.answered(failure(status, code));
      assert.equal(key.for(body), first, code);
    }
  });

  it('sends again what has no answer as it first went, whatever its version is by now', async () => {
    const key = new DeedKey();
    const sent: unknown[] = [];
    const press = (version: number, text: string, status: number) =>
      key
        .send(
          { version, text },
          async (keyed) => {
            sent.push(keyed);
            if (status !== 201) throw new ApiError(failure(status, 'http'));
            return 'done';
          },
          text,
        )
        .catch(({ status: failed }: InstanceType<typeof ApiError>) => failed);
    assert.deepEqual([await press(1, 'a', 0), await press(2, 'a', 201)], [0, 'done']);
    await press(3, 'a', 0);
    await press(4, 'b', 201);
    assert.deepEqual(sent[1], sent[0]);
    const bodies = sent.map((keyed) => (keyed as { body: { version: number } }).body.version);
    assert.deepEqual(bodies, [1, 1, 3, 4]);
    const keys = new Set(sent.map((keyed) => (keyed as { idempotencyKey: string }).idempotencyKey));
    assert.equal(keys.size, 3);
  });
});
