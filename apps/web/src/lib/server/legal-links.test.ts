import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { legalPath, livingHref } from './legal-links.ts';

const pages = [{ slug: 'rules', redirects: ['terms', 'our-terms'] }];

describe('a link that settings hold', () => {
  it('leads to a legal page at its present address', () => {
    for (const [href, present] of [
      ['/rules', '/rules'],
      ['/terms', '/rules'],
      ['/Our-Terms/', '/rules'],
      ['/terms?version=1#fees', '/rules?version=1#fees'],
    ] as const)
      assert.equal(livingHref(href, pages), present, href);
    assert.deepEqual([legalPath('rules', pages), legalPath('terms', pages)], ['/rules', '/rules']);
  });

  it('is none to a page that is not on the site', () => {
    for (const href of ['/privacy', '/privacy/', '/privacy?version=1', '/privacy#fees'])
      assert.equal(livingHref(href, pages), null, href);
    assert.equal(legalPath('privacy', pages), null);
  });

  it('stays as it is where it leads elsewhere', () => {
    const others = [
      '/',
      '/#questions',
      '#questions',
      '/blog',
      '/Blog?page=2',
      '/blog/terms-of-ours',
    ];
    const beyond = ['/feeds.xml', '/privacy/more', 'https://desk.test/privacy', 'mailto:privacy'];
    for (const href of [...others, ...beyond]) assert.equal(livingHref(href, pages), href);
  });
});
