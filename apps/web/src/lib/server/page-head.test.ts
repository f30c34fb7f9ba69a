import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { styleAttacks } from '@cambist/html/attacks';
import { hasCustomCss } from '#lib/site/custom-css-pages.ts';
import { deskOf, siteJsonLd } from './site-json-ld.ts';
import { customStyleOf, publicHead, withHead, withInlineStyles } from './page-head.ts';

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

describe('the custom CSS', () => {
  for (const attack of styleAttacks) {
    it(`cannot leave its element: ${JSON.stringify(attack)}`, () => {
      const { element = '', hash } = customStyleOf(`a{} ${attack}`) ?? {};
      const [, text = ''] = /^<style id="custom-style">([^]*)<\/style>$/.exec(element) ?? [];
      assert.doesNotMatch(text, /<\s*[/!]/);
      const expected = createHash('sha256').update(text).digest('base64');
      assert.equal(hash, `'sha256-${expected}'`);
    });
  }

  it('is null where it is empty, and changes with its text', () => {
    assert.equal(customStyleOf(' \n'), null);
    assert.notEqual(customStyleOf('a{}')?.hash, customStyleOf('b{}')?.hash);
    assert.equal(customStyleOf('b{}'), customStyleOf('b{}'));
  });

  it('is on public pages, not on sign-in, account and console pages', () => {
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
      on.filter((id) => !hasCustomCss(id)),
      [],
    );
    assert.deepEqual(off.filter(hasCustomCss), []);
  });
});

describe('the head of a public page', () => {
  const asked = { origin: 'https://h.test', site, language: 'en' };

  it('says who runs the site, in JSON that cannot leave its element', () => {
    const head = publicHead(asked);
    const [, json = ''] =
      /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(head) ?? [];
    const [organization, website] = JSON.parse(json);
    assert.deepEqual(
      [organization['@type'], organization.name, website['@type'], website.name],
      ['Organization', 'Harbour Ltd', 'WebSite', 'Harbour </script>'],
    );
    assert.equal(website.publisher['@id'], organization['@id']);
  });

  it('leaves out unreadable addresses and keeps the rest', () => {
    const social = [
      'https://',
      'https://[',
      'mailto:desk@x.test',
      'tel:+331',
      'https://x.test/desk',
    ].map((href) => ({ network: 'x' as const, href }));
    const given = { ...site, social, seo: { ...site.seo, og_image: 'https://x:abc' } };
    const head = publicHead({ ...asked, site: given });
    const [organization] = JSON.parse(/>(\[.*\])</.exec(head)?.[1] ?? '');
    assert.deepEqual(organization.sameAs, ['https://x.test/desk']);
    assert.equal('image' in organization, false);
  });

  it('names the same company as the pages about its service', () => {
    const [organization] = siteJsonLd('https://h.test', site, 'en');
    const desk = deskOf('https://h.test', site);
    for (const key of ['@id', 'name', 'url'] as const)
      assert.equal(desk[key], Object(organization)[key]);
    assert.equal(desk['@type'], 'FinancialService');
  });

  it('has the image of shared links, and no logo', () => {
    const given = { ...site, seo: { og_image: '/media/bcdfghjkmnpqrstv-640.jpg' } };
    const head = publicHead({ ...asked, site: given });
    const [organization] = JSON.parse(/>(\[.*\])</.exec(head)?.[1] ?? '');
    assert.equal(organization.image, 'https://h.test/media/bcdfghjkmnpqrstv-640.jpg');
    assert.equal('logo' in organization, false);
  });

  it('is added at the end of the head', () => {
    const html = '<head><title>a</title></head><body></head></body>';
    assert.equal(withHead(html, ''), html);
    assert.equal(
      withHead(html, "$& $' <b>"),
      "<head><title>a</title>$& $' <b></head><body></head></body>",
    );
  });
});

describe('style sheets in the document', () => {
  const link = (path: string) => `<link href="${path}" rel="stylesheet">`;
  const page = `<head>${link('/_app/a.css')}\n${link('/_app/b.css')}<link href="/x.png" rel="icon"></head>`;
  const read = (path: string) =>
    `.of-${path.replaceAll('/', '-').replace('.css', '')} { color: red }`;

  it('are all in one element, whose hash the policy gets, before links that are off', () => {
    const { html, hash } = withInlineStyles(page, read);
    const [, css = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    assert.equal(css, '.of-_app-a { color: red }\n.of-_app-b { color: red }');
    assert.equal(hash, `'sha256-${createHash('sha256').update(css).digest('base64')}'`);
    const off = (path: string) =>
      `<link href="${path}" rel="stylesheet" disabled media="(max-width: 0)">`;
    assert.equal(
      html.replace(/<style>.*?<\/style>/s, ''),
      page
        .replace(link('/_app/a.css'), off('/_app/a.css'))
        .replace(link('/_app/b.css'), off('/_app/b.css')),
    );
  });

  it('are read once', () => {
    let reads = 0;
    const counting = () => {
      reads += 1;
      return '$& $1';
    };
    const once = `<head>${link('/_app/once.css')}</head>`;
    assert.deepEqual(withInlineStyles(once, counting), withInlineStyles(once, counting));
    assert.equal(reads, 1);
    assert.ok(withInlineStyles(once, counting).html.includes('<style>$& $1</style>'));
  });

  it('are none on a page without any', () => {
    assert.deepEqual(withInlineStyles('<head></head>', read), {
      html: '<head></head>',
      hash: null,
    });
  });
});
