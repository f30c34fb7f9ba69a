import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { legalPath, livingHref } from './legal-links.ts';

const data = [{ slug: 'rules', redirects: ['terms', 'our-terms'] }];
const host = 'site.test:4000';
const pages = { data, withdrawn: ['privacy', 'our-privacy'] };

describe('a link in the settings', () => {
  it('leads to the present address of a legal page', () => {
    for (const [href, present] of [
      ['/rules', '/rules'],
      ['/terms', '/rules'],
      ['/Our-Terms/', '/rules'],
      ['/terms?version=1#fees', '/rules?version=1#fees'],
      [`https://${host}/rules`, '/rules'],
      [`http://${host.toUpperCase()}/Our-Terms/?version=1#fees`, '/rules?version=1#fees'],
    ] as const)
      assert.equal(livingHref(href, pages, host), present, href);
    assert.deepEqual([legalPath('rules', data), legalPath('terms', data)], ['/rules', '/rules']);
  });

  it('is removed when its page was unpublished', () => {
    const ways = ['/privacy', '/Our-Privacy/', '/privacy?version=1', '/privacy#fees'];
    const whole = ways.flatMap((path) => [`http://${host}${path}`, `https://${host}${path}`]);
    for (const href of [...ways, ...whole]) assert.equal(livingHref(href, pages, host), null, href);
    assert.equal(legalPath('privacy', data), null);
    // Another page may have taken its address.
    const again = { data: [{ slug: 'privacy', redirects: [] }], withdrawn: ['privacy'] };
    assert.equal(livingHref('/privacy', again, host), '/privacy');
  });

  it('stays when it leads elsewhere', () => {
    const others = [
      '/',
      '/#questions',
      '#questions',
      '/blog',
      '/Blog?page=2',
      '/blog/terms-of-ours',
    ];
    const beyond = [
      '/shop',
      '/shop?from=cambist',
      '/feeds.xml',
      '/privacy/more',
      'https://desk.test/privacy',
      'https://site.test/privacy',
      `https://${host}/blog`,
      `https://${host}`,
      'mailto:privacy',
    ];
    for (const href of [...others, ...beyond]) assert.equal(livingHref(href, pages, host), href);
  });
});
