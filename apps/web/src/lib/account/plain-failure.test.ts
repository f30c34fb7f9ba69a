import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Failure } from '#lib/api/client.ts';
import { plainFailureOf } from './plain-failure.ts';

const refused = (errors: Failure['errors']): Failure => ({
  status: 422,
  code: 'invalid',
  message: 'No.',
  errors,
  request_id: null,
});

describe('plainFailureOf', () => {
  it('leaves to a field what the field shows', () => {
    assert.equal(plainFailureOf(refused({ code: ['Wrong.'] })), null);
    assert.equal(plainFailureOf(refused({ passkey: ['Wrong.'], code: ['Wrong.'] })), null);
  });
  it('keeps what has no field on the page', () => {
    assert.equal(plainFailureOf(refused({ passkey: ['Wrong.'] }))?.message, 'No.');
    assert.equal(plainFailureOf(refused({}))?.message, 'No.');
    assert.equal(plainFailureOf(null), null);
  });
});
