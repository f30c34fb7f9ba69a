import assert from 'node:assert/strict';
import { it } from 'node:test';
import { leftOut } from './attributes.ts';

it('names the attributes that have no place, by their element and their value', () => {
  const given = { class: 'x', onclick: 'a()', title: 't', id: 'k', align: 'left' };
  assert.deepEqual(leftOut('p', given), Object.keys(given));
  assert.deepEqual(leftOut('h2', { id: 'k', align: 'left' }), ['align']);
  assert.deepEqual(leftOut('a', { href: 'javascript:a()', rel: 'x' }), ['href']);
  assert.deepEqual(leftOut('a', { href: '/rates' }), []);
  assert.deepEqual(leftOut('code', { class: 'language-sql' }), []);
  assert.deepEqual(leftOut('td', { colspan: '0', rowspan: '2' }), ['colspan']);
});
