import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answeredTo, donePart, donePath } from './answered.ts';

const failure = {
  status: 422,
  code: 'validation_failed',
  message: 'No.',
  errors: { email: ['No.'] },
  request_id: null,
};

describe('the answer to a form without script', () => {
  it('is shown by the form that was sent, and by no other', () => {
    const form = { failure, values: { part: 'email', email: 'x' } };
    assert.deepEqual(answeredTo('email', form), form);
    assert.deepEqual(answeredTo('password', form), { failure: null, values: {} });
  });

  it('is none where there was none, or another page’s', () => {
    for (const form of [null, undefined, {}, { sent: true }]) {
      assert.equal(answeredTo('profile', form).failure, null);
    }
  });

  it('goes on to an address that says what was done', () => {
    const { searchParams } = new URL(donePath('sessions'), 'http://desk');
    assert.equal(donePart(searchParams), 'sessions');
    assert.equal(donePart(new URLSearchParams('done=harm')), null);
  });
});
