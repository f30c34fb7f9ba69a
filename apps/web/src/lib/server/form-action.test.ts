/** Form actions against a small API. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { updateProfile } from '@cambist/contract/accounts';
import { standInApi } from '#lib/test/stand-in.ts';
import type { FormFailure } from './form-action.ts';

/** The next answers of the API, each used once. */
let refusals: number[] = [];

await standInApi((_request, response) => {
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
  refusals = [];
});

describe('a form that is sent without script', () => {
  it('goes on when it succeeds, and comes back with its values but no secrets when it fails', async () => {
    assert.deepEqual(await send({ name: 'Yolanda' }), { saved: true });
    refusals = [422];
    const answer = await send({ part: 'profile', name: 'Yola', password: 'secret' });
    const { status, data } = answer as ActionFailure<FormFailure>;
    assert.deepEqual([status, data.failure.code], [422, 'refused']);
    assert.deepEqual(data.values, { part: 'profile', name: 'Yola' });
  });
});
