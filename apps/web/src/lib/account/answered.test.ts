import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answeredTo, knownPart } from './answered.ts';

const failure = {
  status: 422,
  code: 'validation_failed',
  message: 'No.',
  errors: { email: ['No.'] },
  request_id: null,
};

describe('the answer of a form action', () => {
  it('is shown by the form that was sent and by no other', () => {
    const form = { failure, values: { part: 'email', email: 'x' } };
    assert.deepEqual(answeredTo('email', form), form);
    assert.deepEqual(answeredTo('password', form), { failure: null, values: {} });
  });

  it('is empty where there was none, or on another page', () => {
    for (const form of [null, undefined, {}, { sent: true }]) {
      assert.equal(answeredTo('profile', form).failure, null);
    }
  });

  it('names known forms only', () => {
    assert.equal(knownPart('sessions'), 'sessions');
    for (const name of ['unknown', '', null, undefined]) assert.equal(knownPart(name), null);
  });
});
