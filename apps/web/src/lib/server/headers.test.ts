import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInApi } from '#lib/test/stand-in.ts';
import type { Answered } from './headers.ts';

await standInApi((_request, response) => response.end());
const { setSecurityHeaders } = await import('./headers.ts');

const kit = "default-src 'none'; style-src 'self' 'sha256-a='; img-src 'self'; connect-src 'self'";
const plain: Answered = { requestId: 'r', personal: false, noindex: false, styleHashes: [] };

function answered(headers: Record<string, string>, how: Partial<Answered> = {}): Headers {
  const given = new Headers(headers);
  setSecurityHeaders(given, { ...plain, ...how });
  return given;
}
const page = { 'content-type': 'text/html', 'content-security-policy': kit };

describe('the headers of an answer', () => {
  it('allow a page to call the API, and make browsers report violations', () => {
    const headers = answered(page);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self' 'sha256-a='; img-src 'self' https://api.test; connect-src 'self' https://api.test; report-uri /_policy-reports; report-to policy",
    );
    assert.equal(headers.get('reporting-endpoints'), 'policy="/_policy-reports"');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    assert.equal(headers.get('x-robots-tag'), null);
  });

  it('allow the styles in the document by their hashes, once', () => {
    const styleHashes = ["'sha256-b='", "'sha256-c='"];
    const policy = answered(page, { styleHashes }).get('content-security-policy') ?? '';
    assert.match(policy, /style-src 'self' 'sha256-a=' 'sha256-b=' 'sha256-c=';/);
    const again = answered({ ...page, 'content-security-policy': policy }, { styleHashes });
    assert.equal(again.get('content-security-policy'), policy);
  });

  it('allow nothing for feeds, maps and data, and inline styles for a page without a policy', () => {
    for (const type of ['application/xml', 'application/json', 'text/plain; charset=utf-8']) {
      const policy = answered({ 'content-type': type }).get('content-security-policy');
      assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", type);
    }
    const bare = answered({ 'content-type': 'text/html' }).get('content-security-policy') ?? '';
    assert.match(bare, /^default-src 'none'; style-src 'unsafe-inline';.*report-uri/);
    assert.equal(answered({ 'content-type': 'image/webp' }).get('content-security-policy'), null);
  });

  it('make browsers revalidate redirects, since an address may move back', () => {
    const moved = { location: '/blog/b' };
    assert.equal(answered(moved).get('cache-control'), 'private, no-cache');
    assert.equal(answered(moved, { personal: true }).get('cache-control'), 'no-store');
  });

  it('keep personal answers out of caches, and hidden ones out of search engines', () => {
    const headers = answered(
      { ...page, 'cache-control': 'public' },
      { personal: true, noindex: true },
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
  });
});
