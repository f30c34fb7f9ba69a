import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../config.ts';
import { isForeignWrite, isStateful } from './stateful.ts';

const config = readConfig({ FRONTEND_URL: 'http://app.test:4000' });

describe('isStateful', () => {
  for (const [expected, what, headers] of [
    [true, 'neither header: a plain client', {}],
    [true, 'the frontend', { origin: 'http://app.test:4000' }],
    [true, 'the frontend over https', { origin: 'https://app.test:4000' }],
    [true, 'a page of the frontend', { referer: 'http://app.test:4000/account?x=1#y' }],
    [true, 'the frontend in capitals', { origin: 'http://APP.test:4000' }],
    [true, 'a local host', { origin: 'http://localhost:4000' }],
    [true, 'a local address without port', { referer: 'http://127.0.0.1/' }],
    [
      true,
      'Referer before Origin',
      { referer: 'http://app.test:4000/', origin: 'http://evil.test' },
    ],
    [
      false,
      'a foreign Referer before an own Origin',
      { referer: 'http://evil.test/', origin: 'http://app.test:4000' },
    ],
    [true, 'an empty Referer: Origin decides', { referer: '', origin: 'http://app.test:4000' }],
    [false, 'another port', { origin: 'http://app.test:4001' }],
    [false, 'no port', { origin: 'http://app.test' }],
    [false, 'our host as a prefix', { origin: 'http://app.test:4000.evil.test' }],
    [false, 'our host as an ending', { origin: 'http://evilapp.test:4000' }],
    [false, 'our host as the user', { referer: 'http://app.test:4000@evil.test/' }],
    [false, 'our host in the path', { referer: 'http://evil.test/app.test:4000/' }],
    [false, 'Origin null', { origin: 'null' }],
    [false, 'no URL', { referer: 'app.test:4000' }],
    [false, 'another scheme', { referer: 'ftp://app.test:4000/' }],
  ] as const) {
    it(`${expected ? 'takes' : 'ignores'} the cookies of ${what}`, () =>
      assert.equal(isStateful(headers, config), expected));
  }
});

describe('isForeignWrite', () => {
  it('looks at the Origin even where the Referer is ours', () => {
    assert.ok(
      isForeignWrite({ referer: 'http://app.test:4000/', origin: 'http://evil.test' }, config),
    );
    assert.ok(isForeignWrite({ origin: 'null' }, config));
    assert.ok(!isForeignWrite({ origin: 'http://app.test:4000' }, config));
    assert.ok(!isForeignWrite({}, config));
  });

  it('believes the browser that a request is cross-site', () => {
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'http://app.test:4000' };
    assert.ok(isForeignWrite(crossSite, config));
    assert.ok(!isForeignWrite({ ...crossSite, 'sec-fetch-site': 'same-site' }, config));
    const elsewhere = readConfig({
      FRONTEND_URL: 'http://app.test:4000',
      SESSION_SAME_SITE: 'none',
    });
    assert.ok(!isForeignWrite(crossSite, elsewhere));
    assert.ok(isForeignWrite({ 'sec-fetch-site': 'cross-site' }, elsewhere));
  });
});
