import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeNext, signInPath } from './next-path.ts';

describe('safeNext', () => {
  it('believes paths of this site', () => {
    assert.equal(safeNext('/preview?pair=usd-eur#x'), '/preview?pair=usd-eur#x');
  });
  for (const foreign of [
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    '/..//evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/\n/evil.test',
    '',
    null,
  ]) {
    it(`does not follow ${JSON.stringify(foreign)}`, () => {
      assert.equal(safeNext(foreign, '/'), '/');
    });
  }
});

describe('signInPath', () => {
  it('carries the whole address, with its own query', () => {
    const next = new URL(
      signInPath('/exchanges?page=2&state=open'),
      'https://site.test',
    ).searchParams.get('next');
    assert.equal(next, '/exchanges?page=2&state=open');
  });
});
