import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeNext, signInPath, withoutAction } from './next-path.ts';

describe('safeNext', () => {
  it('believes paths of this site', () => {
    assert.equal(safeNext('/preview?pair=usd-eur#x'), '/preview?pair=usd-eur#x');
  });
  for (const [typed, sent] of [
    ['/blog?q=€', '/blog?q=%E2%82%AC'],
    ['/blog?q=été#ü', '/blog?q=%C3%A9t%C3%A9#%C3%BC'],
    ['/文?a b', '/%E6%96%87?a%20b'],
    ['/blog?q=\ud800', '/blog?q=%EF%BF%BD'],
    ['/blog?q=%E2%82%AC&next=%2Fa', '/blog?q=%E2%82%AC&next=%2Fa'],
  ] as const) {
    it(`can be sent as a header: ${JSON.stringify(typed)}`, () => {
      const next = safeNext(typed, '/');
      assert.equal(next, sent);
      assert.equal(new Headers({ location: next }).get('location'), sent);
    });
  }
  for (const foreign of [
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    '/..//evil.test',
    '/a/..//evil.test',
    '/%2e%2e//evil.test',
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

describe('withoutAction', () => {
  it('leaves the rest of the address as it is', () => {
    for (const [from, to] of [
      ['/account?/profile', '/account'],
      ['/preview?/letter&pair=usd-eur', '/preview?pair=usd-eur'],
      ['/exchanges?page=2&from=/a', '/exchanges?page=2&from=/a'],
      ['/account', '/account'],
    ] as const)
      assert.equal(withoutAction(new URL(from, 'https://site.test')), to);
  });
});
