import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTheme, themeCookieLine } from './theme.ts';

describe('themeCookieLine', () => {
  it('is secure where the site is', () => {
    assert.equal(
      themeCookieLine('dark', 'https:'),
      'theme=dark; path=/; max-age=31536000; samesite=lax; secure',
    );
    assert.doesNotMatch(themeCookieLine('dark', 'http:'), /secure/);
  });
});

describe('parseTheme', () => {
  it('treats unknown values as automatic', () => {
    assert.deepEqual(['dark', 'light', 'auto', 'blue', '', null, undefined].map(parseTheme), [
      'dark',
      'light',
      'auto',
      'auto',
      'auto',
      'auto',
      'auto',
    ]);
  });
});
