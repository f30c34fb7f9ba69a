import assert from 'node:assert/strict';
import { it } from 'node:test';
import { removedAttributes } from './attributes.ts';

it('names the attributes that the cleaner removes, by element and value', () => {
  const given = { class: 'x', onclick: 'a()', title: 't', id: 'k', align: 'left' };
  assert.deepEqual(removedAttributes('p', given), Object.keys(given));
  assert.deepEqual(removedAttributes('h2', { id: 'k', align: 'left' }), ['align']);
  assert.deepEqual(removedAttributes('a', { href: 'javascript:a()', rel: 'x' }), ['href']);
  assert.deepEqual(removedAttributes('a', { href: '/rates' }), []);
  assert.deepEqual(removedAttributes('code', { class: 'language-sql' }), []);
  assert.deepEqual(removedAttributes('td', { colspan: '0', rowspan: '2' }), ['colspan']);
});
