import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readReports } from './policy-reports.ts';

const old = (fields: Record<string, string>) => JSON.stringify({ 'csp-report': fields });
const modern = (...bodies: readonly Record<string, string>[]) =>
  JSON.stringify(bodies.map((body) => ({ type: 'csp-violation', age: 1, url: 'x', body })));

describe('a policy report', () => {
  it('is read in both formats, without personal data', () => {
    const kind = { page: '/status', directive: 'script-src-elem', blocked: 'https://evil.test' };
    assert.deepEqual(
      readReports(
        old({
          'document-uri': 'https://desk.test/status/a-secret-token?q=x#y',
          'effective-directive': 'script-src-elem',
          'violated-directive': "script-src-elem 'self'",
          'blocked-uri': 'https://evil.test/steal.js?cookie=abc',
          'script-sample': 'a secret',
          referrer: 'https://mail.test/inbox/42',
        }),
      ),
      [kind],
    );
    const body = {
      documentURL: 'https://desk.test/status/a-secret-token',
      effectiveDirective: 'script-src-elem',
      blockedURL: 'https://evil.test/steal.js',
      sample: 'a secret',
    };
    assert.deepEqual(readReports(modern(body)), [kind]);
  });

  it('names a post or a pair, and no private address', () => {
    const pageOf = (path: string) =>
      readReports(
        modern({
          documentURL: `https://desk.test${path}`,
          effectiveDirective: 'script-src-elem',
          blockedURL: 'https://evil.test',
        }),
      )[0]?.page;
    assert.equal(pageOf('/blog/how-a-payment-travels?q=x#y'), '/blog/how-a-payment-travels');
    assert.equal(pageOf('/rates/usd-to-eur'), '/rates/usd-to-eur');
    assert.equal(pageOf('/blog/preview/a-secret-token'), '/blog');
    assert.equal(pageOf('/blog/tag/Rates'), '/blog');
    assert.equal(pageOf('/blog/A%20secret'), '/blog');
  });

  it('uses a word where there is no address, and for this site', () => {
    const blockedOf = (blockedURL: string) =>
      readReports(
        modern({ documentURL: 'https://desk.test/', effectiveDirective: 'img-src', blockedURL }),
      )[0]?.blocked;
    assert.equal(blockedOf('inline'), 'inline');
    assert.equal(blockedOf(''), 'inline');
    assert.equal(blockedOf('wasm-eval'), 'wasm-eval');
    assert.equal(blockedOf('data:text/html,x'), 'data');
    assert.equal(blockedOf('https://desk.test/x.js'), 'self');
    assert.equal(blockedOf('no address'), undefined);
  });

  it('is dropped when an extension caused it or it is something else; invalid JSON throws', () => {
    const own = {
      documentURL: 'https://desk.test/',
      effectiveDirective: 'script-src',
      blockedURL: 'inline',
    };
    assert.deepEqual(
      readReports(modern({ ...own, sourceFile: 'chrome-extension://abc/x.js' })),
      [],
    );
    assert.deepEqual(readReports(modern({ ...own, blockedURL: 'moz-extension://abc/x.js' })), []);
    assert.deepEqual(readReports(modern({ ...own, effectiveDirective: '<b>' })), []);
    for (const body of [
      '[]',
      '{}',
      'null',
      '7',
      '[{"type":"deprecation","body":{}}]',
      '{"csp-report":null}',
    ]) {
      assert.deepEqual(readReports(body), [], body);
    }
    assert.equal(readReports(modern(...Array.from({ length: 50 }, () => own))).length, 20);
    assert.throws(() => readReports('{'), SyntaxError);
  });

  it('names a page by the first part of its path', () => {
    const pageOf = (documentURL: string) =>
      readReports(modern({ documentURL, effectiveDirective: 'img-src', blockedURL: 'inline' }))[0]
        ?.page;
    assert.equal(pageOf('https://desk.test/contact/what'), '/contact');
    assert.equal(pageOf('https://desk.test'), '/');
    assert.equal(pageOf('https://desk.test/WP-login.php'), '/unknown');
    assert.equal(pageOf('about:blank?'), '/unknown');
  });
});
