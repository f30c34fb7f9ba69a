import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPath } from './next-path.ts';

const WEB = 'https://desk.example';

describe('the next path', () => {
  for (const path of ['/', '/account', '/exchanges/EX-1?tab=proof#top', '/a%20b', '/a//b']) {
    it(`is ${path}`, () => assert.equal(nextPath(path, WEB), path));
  }

  it('is written as an address has it', () => {
    assert.equal(nextPath('/à/../é', WEB), '/%C3%A9');
  });

  for (const path of [
    undefined,
    '',
    'account',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '/%2f/evil.test',
    '/%5Cevil.test',
    '/a\\b',
    '/a\u0000b',
    'https://evil.test',
    'https://desk.example@evil.test',
    'https:evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '/api/auth/google/redirect',
    '/API/user',
  ]) {
    it(`is not ${JSON.stringify(path)}`, () => assert.equal(nextPath(path, WEB), null));
  }
});
