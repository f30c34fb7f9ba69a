import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { styleAttacks } from '@cambist/html/attacks';
import { isDressed } from '#lib/site/custom-css-pages.ts';
import { deskOf, siteJsonLd } from './site-json-ld.ts';
import { dressOf, publicHead, withHead } from './page-head.ts';

const site = {
  general: { site_name: 'Harbour </script>', company_name: 'Harbour Ltd' },
  seo: { meta_description: 'By the harbour.' },
  footer: { note: '', columns: [] },
  social: [],
  legal: { terms: null, privacy: null },
  has_how_it_works: true,
  has_blog: true,
  has_css: false,
};

describe('the desk’s own style sheet', () => {
  for (const attack of styleAttacks) {
    it(`ends where its element ends, whatever is in it: ${JSON.stringify(attack)}`, () => {
      const { element = '', hash } = dressOf(`a{} ${attack}`) ?? {};
      const [, text = ''] = /^<style id="custom-style">([^]*)<\/style>$/.exec(element) ?? [];
      assert.doesNotMatch(text, /<\s*[/!]/);
      const expected = createHash('sha256').update(text).digest('base64');
      assert.equal(hash, `'sha256-${expected}'`);
    });
  }

  it('is none where nothing is written, and another one when it changes', () => {
    assert.equal(dressOf(' \n'), null);
    assert.notEqual(dressOf('a{}')?.hash, dressOf('b{}')?.hash);
    assert.equal(dressOf('b{}'), dressOf('b{}'));
  });

  it('is where the public reads, not where people sign in, keep their account or work', () => {
    const on = [
      null,
      '/(site)',
      '/(site)/blog/[slug]',
      '/(email-link)/status/[token]',
      '/maintenance',
      '/admin/settings/home-page/preview',
    ];
    const off = [
      '/admin',
      '/admin/blog',
      '/admin/settings/[slug]',
      '/(auth)/signin',
      '/(account)/account',
      '/(email-link)/verify-email',
      '/(site)/account/deleted',
      '/(site)/signout',
    ];
    assert.deepEqual(
      on.filter((id) => !isDressed(id)),
      [],
    );
    assert.deepEqual(off.filter(isDressed), []);
  });
});

describe('the head of a public page', () => {
  const asked = { origin: 'https://h.test', site, language: 'en' };

  it('says who runs the site, in JSON that cannot leave its element', () => {
    const head = publicHead({ ...asked, alternates: [] });
    const [, json = ''] =
      /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(head) ?? [];
    const [organization, website] = JSON.parse(json);
    assert.deepEqual(
      [organization['@type'], organization.name, website['@type'], website.name],
      ['Organization', 'Harbour Ltd', 'WebSite', 'Harbour </script>'],
    );
    assert.equal(website.publisher['@id'], organization['@id']);
  });

  it('leaves out addresses that cannot be read or are no pages, and says the rest', () => {
    const social = [
      'https://',
      'https://[',
      'mailto:desk@x.test',
      'tel:+331',
      'https://x.test/desk',
    ].map((href) => ({ network: 'x' as const, href }));
    const given = { ...site, social, seo: { ...site.seo, og_image: 'https://x:abc' } };
    const head = publicHead({ ...asked, site: given, alternates: [] });
    const [organization] = JSON.parse(/>(\[.*\])</.exec(head)?.[1] ?? '');
    assert.deepEqual(organization.sameAs, ['https://x.test/desk']);
    assert.equal('image' in organization, false);
  });

  it('speaks of the same company as the pages that name what it does', () => {
    const [organization] = siteJsonLd('https://h.test', site, 'en');
    const desk = deskOf('https://h.test', site);
    for (const key of ['@id', 'name', 'url'] as const)
      assert.equal(desk[key], Object(organization)[key]);
    assert.equal(desk['@type'], 'FinancialService');
  });

  it('shows the picture of its links, and calls it no logo', () => {
    const given = { ...site, seo: { og_image: '/media/bcdfghjkmnpqrstv-640.jpg' } };
    const head = publicHead({ ...asked, site: given, alternates: [] });
    const [organization] = JSON.parse(/>(\[.*\])</.exec(head)?.[1] ?? '');
    assert.equal(organization.image, 'https://h.test/media/bcdfghjkmnpqrstv-640.jpg');
    assert.equal('logo' in organization, false);
  });

  it('names the page in other languages where it has addresses in them', () => {
    const alternates = [
      { language: 'en', path: '/rates' },
      { language: 'de', path: '/de/rates' },
    ];
    const head = publicHead({ ...asked, alternates });
    assert.ok(head.startsWith('<link rel="alternate" hreflang="en" href="https://h.test/rates">'));
  });

  it('is added at its end, as it stands', () => {
    const html = '<head><title>a</title></head><body></head></body>';
    assert.equal(withHead(html, ''), html);
    assert.equal(
      withHead(html, "$& $' <b>"),
      "<head><title>a</title>$& $' <b></head><body></head></body>",
    );
  });
});
