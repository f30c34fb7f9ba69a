import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

// These modules only exist inside SvelteKit.
standIn({ '$app/env/public': "export const API_URL = 'https://api.test'" });
const { ApiError } = await import('#lib/api/client.ts');
const { deadLinkOf } = await import('./dead-link.ts');

const refusal = (status: number, code: string) =>
  new ApiError({ status, code, message: '', errors: {}, request_id: null });

describe('a dead link', () => {
  it('is recognised by its code, and by a token of the wrong length', () => {
    assert.equal(deadLinkOf(refusal(409, 'link_expired')), 'link_expired');
    assert.equal(deadLinkOf(refusal(409, 'link_invalid')), 'link_invalid');
    assert.equal(deadLinkOf(refusal(422, 'validation_failed')), 'link_invalid');
  });

  it('is not the same as an API that is down', () => {
    for (const error of [refusal(0, 'unreachable'), refusal(429, 'too_many_attempts'), new Error()])
      assert.throws(() => deadLinkOf(error), error);
  });
});
