import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { reservedSlugs } from '@cambist/contract/legal-pages';
import { Refusal } from '#kernel/refusal.ts';
import { startTestApi } from '#test/harness.ts';
import { create, update, type LegalPageText } from './legal-pages.ts';
import { findForbidden } from './markup.ts';
import { legalPages } from './routes.ts';

const api = await startTestApi({ after }, { features: [legalPages] });

const text: LegalPageText = {
  title: 'Terms',
  body: '<h2 id="one">One</h2><p>See <a href="/privacy">privacy</a>.</p>',
  summary: 'What we agree on.',
  version: '1.0',
  effective_on: '2026-03-01',
  position: 20,
  published: true,
};

const add = (slug: string, change: Partial<LegalPageText> = {}) =>
  create(api.deps, 'system', null, slug, { ...text, ...change });

function refusedOn(field: string) {
  return (error: unknown) =>
    error instanceof Refusal && error.status === 422 && error.detail.errors?.[field] !== undefined;
}

describe('GET /api/legal-pages', () => {
  it('lists what is published, in order, without the bodies', async () => {
    await add('second');
    await add('first', { title: 'First', position: 10 });
    await add('hidden', { published: false });
    const { status, body } = await api.client().get('/api/legal-pages');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ slug }: { slug: string }) => slug),
      ['first', 'second'],
    );
    assert.deepEqual(Object.keys(body.data[0]).toSorted(), [
      'effective_on',
      'slug',
      'summary',
      'title',
      'updated_at',
      'version',
    ]);
    assert.equal(body.data[0].effective_on, '2026-03-01');
  });
});

describe('GET /api/legal-pages/slug/{slug}', () => {
  it('answers the page with its body', async () => {
    const { status, body, headers } = await api.client().get('/api/legal-pages/slug/second');
    assert.equal(status, 200);
    assert.equal(body.data.body, text.body);
    assert.equal(body.data.version, '1.0');
    assert.ok(headers['etag']);
  });

  it('answers 404 for what is not there, not published, or no slug', async () => {
    for (const slug of ['nothing', 'hidden', 'No-Slug', '..%2fsecond', 'second%00']) {
      const { status } = await api.client().get(`/api/legal-pages/slug/${slug}`);
      assert.equal(status, 404, slug);
    }
  });

  it('shows a change at once, and a page that is withdrawn no more', async () => {
    await update(api.deps, 'system', null, 'second', { ...text, version: '2.0' });
    const { body } = await api.client().get('/api/legal-pages/slug/second');
    assert.equal(body.data.version, '2.0');
    await update(api.deps, 'system', null, 'second', { ...text, published: false });
    assert.equal((await api.client().get('/api/legal-pages/slug/second')).status, 404);
    assert.equal((await api.client().get('/api/legal-pages')).body.data.length, 1);
  });
});

describe('writing a legal page', () => {
  it('refuses every slug that belongs to another page, a taken one and what is no slug', async () => {
    for (const slug of [...reservedSlugs, 'first', 'No Slug', '-x', '']) {
      await assert.rejects(add(slug), refusedOn('slug'), slug);
    }
  });

  it('refuses what is not there, wrong dates and wrong markup, by field', async () => {
    await assert.rejects(update(api.deps, 'system', null, 'nothing', text), { status: 404 });
    await assert.rejects(add('a', { effective_on: '2026-02-30' }), refusedOn('effective_on'));
    await assert.rejects(add('a', { title: '' }), refusedOn('title'));
    await assert.rejects(add('a', { body: '<script>1</script>' }), refusedOn('body'));
  });

  it('leaves an audit event', async () => {
    const events = await api.db.selectFrom('audit_events').select(['action', 'data']).execute();
    assert.ok(
      events.some(
        ({ action, data }) => action === 'legal_pages.updated' && data['slug'] === 'second',
      ),
    );
  });
});

describe('the markup of a legal page', () => {
  it('may be headings, text, lists, tables and links', () => {
    const body = `<h2 id="a-1">A &amp; B</h2><p>x<br>y<br />z <strong>s</strong> <em>e</em></p>
      <ul><li>1</li></ul><table><thead><tr><th scope="col">H</th></tr></thead><tbody><tr><td>1 > 0</td></tr></tbody></table>
      <p><a href="https://a.example/?b=c&amp;d=e">x</a> <a href="mailto:a@b.example">m</a> <a href="#a-1">i</a> <a href="/terms">t</a></p>`;
    assert.equal(findForbidden(body), null);
  });

  const forbidden = [
    '<script>alert(1)</script>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<p onclick="alert(1)">x</p>',
    '<p style="color:red">x</p>',
    '<img src="x" onerror="alert(1)">',
    '<svg><a href="/x">y</a></svg>',
    '<iframe src="https://a.example"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JAVASCRIPT:alert(1)">x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="http://a.example">x</a>',
    '<a href=/x>x</a>',
    "<a href='/x'>x</a>",
    '<a href="/x"onclick="alert(1)">x</a>',
    '<a\nhref="/x">x</a>',
    '<a/href="/x">x</a>',
    '<p id="a" onmouseover="x">x</p>',
    '<p id="A B">x</p>',
    '<!-- <script>alert(1)</script> -->',
    '<![CDATA[<script>]]>',
    '<?php ?>',
    '<p>a < b</p>',
    '<p',
    '<',
    '<math><mi></mi></math>',
    '<style>*{}</style>',
    '<form action="/x"></form>',
    '</p id="x">',
    '<xmp><p></xmp>',
    '<p><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript></p>',
  ];
  for (const body of forbidden) {
    it(`may not be ${JSON.stringify(body)}`, () => assert.notEqual(findForbidden(body), null));
  }
});
