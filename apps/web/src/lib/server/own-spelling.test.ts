import assert from 'node:assert/strict';
import { it } from 'node:test';
import { leadOn, slugIn } from './own-spelling.ts';

it('an address in capitals is looked for in small letters, and nothing else is', () => {
  assert.equal(slugIn('MOVING-House'), 'moving-house');
  for (const none of ['', 'a--b', 'a_b', '-a', 'a.txt', 'ä'])
    assert.throws(() => slugIn(none), { status: 404 }, none);
});

it('what is found leads on to its own address with what was asked, unless that was asked for', () => {
  const asked = (query: string) => new URL(`https://desk.example/any${query}`);
  leadOn('terms', 'terms', '/terms', asked('?version=1'));
  const lead = (typed: string, query: string) => () =>
    leadOn(typed, 'terms', '/terms', asked(query));
  assert.throws(lead('Terms', ''), { status: 308, location: '/terms' });
  assert.throws(lead('Old', ''), { status: 301, location: '/terms' });
  const location = '/terms?utm_source=mail';
  assert.throws(lead('TERMS', '?utm_source=mail'), { status: 308, location });
  assert.throws(lead('Old', '?utm_source=mail'), { status: 301, location });
});
