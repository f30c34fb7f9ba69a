import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { fieldError, tickError } = await import('./field-error.ts');

describe('the error of a field', () => {
  it('is written for people, without the field’s wire name', () => {
    const told = {
      'The name field is required.': 'ui_field_missing',
      'The label of link 1 of footer column 1 is required.': 'ui_field_missing',
      'The Card number is required.': 'The Card number is required.',
      'The selected topic is invalid.': 'ui_field_choose',
      'The email must be a valid email address.': 'ui_field_email',
      'The code must be at least 6 characters.': 'ui_field_too_short',
      'The message must not be greater than 4000 characters.': 'ui_field_over',
      'The exchange number format is invalid.': 'ui_field_unreadable',
      'The secret may have letters A to Z, digits, spaces and the marks of an English keyboard only.':
        'ui_field_ascii',
      'The slug may have small letters, digits and single hyphens only.': 'ui_field_address',
      'The email has already been taken.': 'ui_field_taken',
      'The current password is not right.': 'ui_field_wrong_password',
      'The password is not right.': 'ui_field_wrong_password',
    };
    for (const [message, words] of Object.entries(told)) assert.equal(fieldError(message), words);
  });

  it('is unchanged for a rule of its own', () => {
    const own = 'This code is not right. Try the one shown now.';
    const console = '“Slug” is required.';
    assert.deepEqual([own, console, undefined].map(fieldError), [own, console, undefined]);
  });

  it('asks to tick an unticked box', () => {
    assert.equal(tickError('The selected terms accepted is invalid.'), 'ui_field_tick');
    assert.equal(tickError('The terms accepted field is required.'), 'ui_field_tick');
    assert.equal(tickError('No.'), 'No.');
    assert.equal(tickError(undefined), undefined);
  });
});
