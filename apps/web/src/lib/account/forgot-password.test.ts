import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answerPath,
  isAnswer,
  passEmail,
  resetEmailCookieLine,
  takeEmail,
} from './forgot-password.ts';

const here = (path: string) => new URL(path, 'https://site.example');

describe('the forgot-password page', () => {
  it('takes the address typed on the sign-in page once', () => {
    assert.equal(takeEmail(), '');
    passEmail('ada@example.com');
    assert.equal(takeEmail(), 'ada@example.com');
    assert.equal(takeEmail(), '');
  });

  it('has an answer with a path of its own, which keeps `next` and names no address', () => {
    const from = here('/forgot-password?next=%2Fpreview%3Fpair%3Da%26amount%3D1&email=a@b.test');
    const path = here(answerPath(from));
    assert.equal(path.searchParams.get('next'), '/preview?pair=a&amount=1');
    assert.equal(path.searchParams.get('email'), null);
    assert.ok(isAnswer(path) && !isAnswer(from));
    assert.equal(answerPath(here('/forgot-password')), '/forgot-password?sent');
    assert.equal(answerPath(here('/forgot-password?sent')), '/forgot-password?sent');
  });

  it('keeps the entered address for minutes in a cookie of its own path', () => {
    assert.equal(
      resetEmailCookieLine('a;b@c.test', 'https:'),
      'reset-asked=a%3Bb%40c.test; path=/forgot-password; max-age=600; samesite=lax; secure',
    );
    assert.doesNotMatch(resetEmailCookieLine('a@c.test', 'http:'), /secure/);
  });
});
