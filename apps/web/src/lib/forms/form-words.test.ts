import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allMessages, messagesAt, withNames } from './form-words.ts';

describe('messagesAt', () => {
  it("puts the field's own name in the place of its path", () => {
    const errors = {
      'payout_fields.0.label': ['The label of payout field 1 is required.'],
      min_send: ['The min_send field must be above zero, or empty for no limit.'],
    };
    assert.deepEqual(messagesAt(errors, 'payout_fields.0.label', 'Label'), [
      '“Label” is required.',
    ]);
    assert.deepEqual(messagesAt(errors, 'min_send', 'Least to send'), [
      '“Least to send” must be above zero, or empty for no limit.',
    ]);
  });

  it('does not find a path again in the name that took its place', () => {
    assert.deepEqual(
      messagesAt({ send: ['The send field is required.'] }, 'send', 'Customer sends'),
      ['“Customer sends” is required.'],
    );
  });

  it('says plainly what a schema finds', () => {
    const said = (message: string) => messagesAt({ jump: [message] }, 'jump', 'Largest jump')?.[0];
    assert.equal(
      said('The jump format is invalid.'),
      '“Largest jump” cannot be read as it is written.',
    );
    assert.equal(
      said('The selected jump is invalid.'),
      '“Largest jump” has a value that cannot be used here.',
    );
    assert.equal(said('The jump must be an integer.'), '“Largest jump” must be a whole number.');
  });

  it('leaves sentences alone that do not name the path', () => {
    const errors = { 'payout_fields.1.key': ['The key iban is used by another field.'] };
    assert.deepEqual(messagesAt(errors, 'payout_fields.1.key', 'Key'), [
      'The key iban is used by another field.',
    ]);
  });

  it('has none for a field without mistakes', () => {
    assert.equal(messagesAt({}, 'name', 'Name'), undefined);
    assert.equal(messagesAt(undefined, 'name', 'Name'), undefined);
  });
});

describe('withNames', () => {
  it('names the other fields of a sentence, and leaves what it does not know', () => {
    const labels: Record<string, string> = { 'send_fee.min': 'Smallest send fee' };
    assert.equal(
      withNames('It must not be below send_fee.min or odd_one.', (path) => labels[path]),
      'It must not be below “Smallest send fee” or odd_one.',
    );
  });
});

describe('allMessages', () => {
  it('calls each field as the form does, and one it does not know as the service does', () => {
    const errors = {
      export_code: ['The export code has already been taken.'],
      lock_minutes: ['The lock minutes field is required.'],
      odd: ['The odd field is odd.'],
    };
    const labels: Record<string, string> = {
      export_code: 'Export code',
      lock_minutes: 'Rate lock',
    };
    assert.deepEqual(
      allMessages(errors, (path) => labels[path]),
      [
        { path: 'export_code', message: '“Export code” has already been taken.' },
        { path: 'lock_minutes', message: '“Rate lock” is required.' },
        { path: 'odd', message: 'The odd field is odd.' },
      ],
    );
  });
});
