import assert from 'node:assert/strict';
import { it } from 'node:test';
import { directionOf, withDirections } from './direction.ts';

it('a text is written in the direction of its first letter', () => {
  assert.equal(directionOf('100 € سعر الصرف USD'), 'rtl');
  assert.equal(directionOf('«שער» rate'), 'rtl');
  assert.equal(directionOf('USD سعر'), 'ltr');
  assert.equal(directionOf('汇率'), 'ltr');
  assert.equal(directionOf('123 – 4'), undefined);
});

it('lists and quotes are written in the direction of their own words', () => {
  assert.equal(
    withDirections('<p>a</p><ol start="3"><li>b</li></ol><blockquote><p>c</p></blockquote>'),
    '<p>a</p><ol dir="auto" start="3"><li>b</li></ol><blockquote dir="auto"><p>c</p></blockquote>',
  );
});
