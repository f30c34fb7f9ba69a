import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepNext, nextForEmail, safeNext, signInPath, withoutAction } from './next-path.ts';

describe('safeNext', () => {
  it('accepts paths of this site', () => {
    assert.equal(safeNext('/preview?pair=usd-eur#x'), '/preview?pair=usd-eur#x');
  });
  for (const [typed, sent] of [
    ['/blog?q=€', '/blog?q=%E2%82%AC'],
    ['/blog?q=été#ü', '/blog?q=%C3%A9t%C3%A9#%C3%BC'],
    ['/文?a b', '/%E6%96%87?a%20b'],
    ['/blog?q=\ud800', '/blog?q=%EF%BF%BD'],
    ['/blog?q=%E2%82%AC&next=%2Fa', '/blog?q=%E2%82%AC&next=%2Fa'],
  ] as const) {
    it(`returns a path that fits into a header for ${JSON.stringify(typed)}`, () => {
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
    it(`falls back for ${JSON.stringify(foreign)}`, () => {
      assert.equal(safeNext(foreign, '/'), '/');
    });
  }
});

describe('signInPath', () => {
  it('keeps the whole address with its query', () => {
    const next = new URL(
      signInPath('/exchanges?page=2&state=open'),
      'https://site.test',
    ).searchParams.get('next');
    assert.equal(next, '/exchanges?page=2&state=open');
  });
});

describe('withoutAction', () => {
  it('keeps the rest of the address', () => {
    for (const [from, to] of [
      ['/account?/profile', '/account'],
      ['/preview?/resend&pair=usd-eur', '/preview?pair=usd-eur'],
      ['/exchanges?page=2&from=/a', '/exchanges?page=2&from=/a'],
      ['/account', '/account'],
    ] as const)
      assert.equal(withoutAction(new URL(from, 'https://site.test')), to);
  });
});

describe('keepNext', () => {
  it('keeps `next` and nothing else', () => {
    const here = new URL(
      'https://site.example/signin?trouble=failed&next=%2Fpreview%3Fpair%3Da%26amount%3D1',
    );
    const kept = new URL(keepNext('/signup', here), here);
    assert.equal(kept.pathname, '/signup');
    assert.equal(kept.searchParams.get('next'), '/preview?pair=a&amount=1');
    assert.equal(kept.searchParams.get('trouble'), null);
  });
  it('returns the bare path where there is no `next`', () => {
    assert.equal(
      keepNext('/signup', new URL('https://site.example/signin?trouble=failed')),
      '/signup',
    );
  });
});

describe('nextForEmail', () => {
  it('returns `next`', () => {
    const next = '/preview?pair=a&amount=1';
    assert.deepEqual(nextForEmail(next), { next });
  });
  it('returns nothing where `next` is missing or longer than the API accepts', () => {
    assert.deepEqual(nextForEmail(null), {});
    assert.deepEqual(nextForEmail(`/${'a'.repeat(4000)}`), {});
  });
});
