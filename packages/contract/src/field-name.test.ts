import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fieldName, theField } from './field-name.ts';

it('a field in a row of a list is named by its row, counted from 1', () => {
  for (const [path, name] of [
    ['email', 'email'],
    ['content.meta_title', 'content meta title'],
    ['stats.items.0.value', 'value of stats item 1'],
    ['payout_fields.11.card_number', 'card number of payout field 12'],
    ['footer.columns.0.links.2.label', 'label of link 3 of footer column 1'],
    ['cities.0', 'city 1'],
    ['addresses.1', 'address 2'],
    ['social.0.href', 'href of item 1 of social'],
    ['__proto__', 'proto'],
    ['0.x', '0 x'],
  ] as const)
    assert.equal(fieldName(path), name);
});

it('a path of any length is named in time that grows with it', () => {
  const began = performance.now();
  for (const step of ['.a', '.a.1', '.1']) fieldName(`a${step.repeat(100_000)}`);
  assert.ok(performance.now() - began < 5_000);
});

it('a sentence says that it is a field where no row says so', () => {
  assert.equal(theField('contact_email'), 'contact email field');
  assert.equal(theField('stats.items.0.value'), 'value of stats item 1');
});
