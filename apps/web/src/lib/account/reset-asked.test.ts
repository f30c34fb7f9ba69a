import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerPath, isAnswer, resetAskedLine } from './reset-asked.ts';

const here = (path: string) => new URL(path, 'https://site.example');

describe('the answer to who forgot their password', () => {
  it('has a path of its own, which keeps where they were going and no address', () => {
    const from = here('/forgot-password?next=%2Fpreview%3Fpair%3Da%26amount%3D1&email=a@b.test');
    const path = here(answerPath(from));
    assert.equal(path.searchParams.get('next'), '/preview?pair=a&amount=1');
    assert.equal(path.searchParams.get('email'), null);
    assert.ok(isAnswer(path) && !isAnswer(from));
    assert.equal(answerPath(here('/forgot-password')), '/forgot-password?sent');
    assert.equal(answerPath(here('/forgot-password?sent')), '/forgot-password?sent');
  });

  it('is told by a cookie of that page alone, for minutes', () => {
    assert.equal(
      resetAskedLine('a;b@c.test', 'https:'),
      'reset-asked=a%3Bb%40c.test; path=/forgot-password; max-age=600; samesite=lax; secure',
    );
    assert.doesNotMatch(resetAskedLine('a@c.test', 'http:'), /secure/);
  });
});
