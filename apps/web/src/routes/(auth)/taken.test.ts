import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmailTaken } from './taken.ts';

describe('isEmailTaken', () => {
  it('knows the refusal of an address that has an account', () => {
    const errors = { email: ['The email has already been taken.'] };
    assert.equal(isEmailTaken({ errors }), true);
  });
  it('is about the address only, and about no other fault of it', () => {
    assert.equal(isEmailTaken({ errors: { email: ['The email field must be valid.'] } }), false);
    assert.equal(isEmailTaken({ errors: { name: ['The name has already been taken.'] } }), false);
    assert.equal(isEmailTaken({ errors: {} }), false);
    assert.equal(isEmailTaken(null), false);
  });
});
