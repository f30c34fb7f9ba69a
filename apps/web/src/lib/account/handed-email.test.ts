import assert from 'node:assert/strict';
import { it } from 'node:test';
import { handEmail, takeEmail } from './handed-email.ts';

it('hands a typed address to the page that asks for it next, and to no later one', () => {
  assert.equal(takeEmail(), '');
  handEmail('ada@example.com');
  assert.equal(takeEmail(), 'ada@example.com');
  assert.equal(takeEmail(), '');
});
