/** Forms that the browser sends by itself, against a small API. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { updateProfile } from '@cambist/contract/accounts';
import { standInApi } from '#lib/test/stand-in.ts';
import type { FormFailure } from './form-action.ts';

let keys: unknown[] = [];
/** What the API answers next instead, each once. */
let refusals: number[] = [];

await standInApi((incoming, response) => {
  keys.push(incoming.headers['idempotency-key']);
  const refusal = refusals.shift();
  if (refusal !== undefined) {
    const body = { message: '', code: 'refused' };
    return void response
      .writeHead(refusal, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
});
const { apiAction } = await import('./form-action.ts');
const { createRelay } = await import('./relay.ts');
const { onceField } = await import('#lib/api/idempotency-key.ts');

const save = apiAction<typeof updateProfile, { saved: true }>({
  endpoint: updateProfile,
  read: (form) => ({ body: { name: String(form.get('name')) } }),
  done: () => ({ saved: true }),
});

async function send(fields: Record<string, string>) {
  const url = new URL('https://site.test/account?/profile');
  const headers = { cookie: 'XSRF-TOKEN=a; session=s' };
  const body = new URLSearchParams(fields);
  const request = new Request(url, { method: 'POST', headers, body });
  const event = { request, url, getClientAddress: () => '203.0.113.7' } as RequestEvent;
  const { call } = createRelay(event, 'r');
  return save({ ...event, locals: { call } } as RequestEvent);
}

beforeEach(() => {
  [keys, refusals] = [[], []];
});

describe('a form that is sent without script', () => {
  it('is done, and comes back after a refusal with what was typed but its secrets', async () => {
    assert.deepEqual(await send({ name: 'Yolanda' }), { saved: true });
    refusals = [422];
    const answer = await send({ part: 'profile', name: 'Yola', password: 'secret' });
    const { status, data } = answer as ActionFailure<FormFailure>;
    assert.deepEqual([status, data.failure.code], [422, 'refused']);
    assert.deepEqual(data.values, { part: 'profile', name: 'Yola' });
  });
});

describe('a form that is to do one thing once', () => {
  const typed = { name: 'Yolanda', [onceField]: 'a' };

  it('goes under one key however often it is sent, and under another with other words', async () => {
    for (const fields of [typed, typed, { ...typed, name: 'Yola' }, { ...typed, [onceField]: 'b' }])
      await send(fields);
    const [first, second, otherWords, otherPage] = keys;
    assert.match(String(first), /^[\w-]{43}$/);
    assert.equal(second, first);
    assert.equal(new Set([first, otherWords, otherPage]).size, 3);
  });

  it('has no key where it does not ask for one', async () => {
    await send({ name: 'Yolanda' });
    assert.deepEqual(keys, [undefined]);
  });

  it('stays the same after no answer, and is another once it was answered', async () => {
    refusals = [503, 429, 422];
    const values = [];
    for (let time = 1; time <= 3; time += 1) {
      const { data } = (await send(typed)) as ActionFailure<FormFailure>;
      values.push(data.values[onceField]);
    }
    assert.deepEqual(values, ['a', 'a', undefined]);
  });
});
