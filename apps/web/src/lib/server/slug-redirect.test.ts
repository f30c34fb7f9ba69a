import assert from 'node:assert/strict';
import { it } from 'node:test';
import { redirectToSlug, slugIn } from './slug-redirect.ts';

it('a slug is looked up in lower case, and anything else is 404', () => {
  assert.equal(slugIn('MOVING-House'), 'moving-house');
  for (const none of ['', 'a--b', 'a_b', '-a', 'a.txt', 'ä'])
    assert.throws(() => slugIn(none), { status: 404 }, none);
});

it('a found page redirects to its own address with the query, unless it was asked for', () => {
  const asked = (query: string) => new URL(`https://desk.example/any${query}`);
  redirectToSlug('terms', 'terms', '/terms', asked('?version=1'));
  const lead = (typed: string, query: string) => () =>
    redirectToSlug(typed, 'terms', '/terms', asked(query));
  assert.throws(lead('Terms', ''), { status: 308, location: '/terms' });
  assert.throws(lead('Old', ''), { status: 301, location: '/terms' });
  const location = '/terms?utm_source=mail';
  assert.throws(lead('TERMS', '?utm_source=mail'), { status: 308, location });
  assert.throws(lead('Old', '?utm_source=mail'), { status: 301, location });
});
