import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
const { ApiError } = await import('./client.ts');
const { IdempotencyKey, randomKey } = await import('./idempotency-key.ts');

const failure = (status: number, code: string) => ({
  status,
  code,
  message: '',
  errors: {},
  request_id: null,
});
const body = { version: 3, received_amount: '500.00' };

describe('IdempotencyKey', () => {
  it('gives a new key to each submission', () => {
    const key = new IdempotencyKey();
    const first = key.for(body);
    key.answered(null);
    assert.match(first, /^[0-9a-f]{32}$/);
    assert.notEqual(key.for(body), first);
  });

  it('keeps the key while the answer is missing', () => {
    const key = new IdempotencyKey();
    const first = key.for(body);
    key.answered(failure(0, 'timeout'));
    assert.equal(key.for({ ...body }), first);
    key.answered(failure(502, 'http_502'));
    assert.equal(key.for(body), first);
    key.answered(failure(409, 'idempotency_in_progress'));
    assert.equal(key.for(body), first);
  });

  it('takes a new key after a refusal, which would be replayed for ever', () => {
    const key = new IdempotencyKey();
    const first = key.for(body);
    key.answered(failure(409, 'version_conflict'));
    assert.notEqual(key.for(body), first);
  });

  it('takes a new key for another request, which the old key would refuse', () => {
    const key = new IdempotencyKey();
    const first = key.for(body);
    key.answered(failure(0, 'unreachable'));
    assert.notEqual(key.for({ ...body, received_amount: '500.01' }), first);
  });

  it('keeps the key where the service was not asked', () => {
    const key = new IdempotencyKey();
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

  type Sent = { body: { version: number }; idempotencyKey: string }[];

  /** Writes a text at a version; `sent` hears what went, `status` is the answer. */
  function writing(key: InstanceType<typeof IdempotencyKey>, sent: Sent) {
    return (version: number, text: string, status: number, code = 'http') =>
      key
        .send(
          { version, text },
          async (keyed) => {
            sent.push(keyed);
            if (status !== 201) throw new ApiError(failure(status, code));
            return 'done';
          },
          text,
        )
        .catch(({ status: failed }: InstanceType<typeof ApiError>) => failed);
  }

  it('sends again what has no answer as it first went, whatever its version is by now', async () => {
    const sent: Sent = [];
    const press = writing(new IdempotencyKey(), sent);
    assert.deepEqual([await press(1, 'a', 0), await press(2, 'a', 201)], [0, 'done']);
    await press(3, 'a', 0);
    await press(4, 'b', 201);
    assert.deepEqual(sent[1], sent[0]);
    assert.deepEqual(
      sent.map(({ body: { version } }) => version),
      [1, 1, 3, 4],
    );
    assert.equal(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size, 3);
  });

  it('sends what was not looked at as it is by now, unless an answer before is missing', async () => {
    const sent: Sent = [];
    const press = writing(new IdempotencyKey(), sent);
    await press(1, 'a', 429);
    await press(2, 'a', 401);
    await press(3, 'a', 409, 'signed_in_as_another');
    await press(4, 'a', 0);
    await press(5, 'a', 419);
    await press(6, 'a', 201);
    await press(7, 'a', 201);
    assert.deepEqual(
      sent.map(({ body: { version } }) => version),
      [1, 2, 3, 4, 4, 4, 7],
    );
    const [first, ...rest] = sent.map(({ idempotencyKey }) => idempotencyKey);
    assert.deepEqual(
      rest.map((each) => each === first),
      [true, true, true, true, true, false],
    );
  });
});

describe('randomKey', () => {
  it('is 32 visible characters and never the same twice', () => {
    const keys = new Set(Array.from({ length: 100 }, randomKey));
    assert.equal(keys.size, 100);
    for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
  });
});
