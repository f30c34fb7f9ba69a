import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacks } from './attacks.ts';
import { MarkupFault, readJsonLd, writeJsonLd } from './json-ld.ts';

const article = {
  '@context': 'https://schema.org',
  '@type': 'BlogPosting',
  headline: 'A </script> B',
};

describe('pasted structured data', () => {
  it('may be bare JSON, a list, or elements', () => {
    const json = writeJsonLd(article);
    assert.deepEqual(readJsonLd(json), [article]);
    assert.deepEqual(readJsonLd(`[${json},${json}]`), [article, article]);
    const element = `<script type="application/ld+json">${json}</script>`;
    assert.deepEqual(readJsonLd(`${element}\n${element}`), [article, article]);
    assert.deepEqual(readJsonLd('  '), []);
  });

  it('is written so that it cannot leave its element', () => {
    assert.doesNotMatch(writeJsonLd(article), /[<>&]/);
    assert.deepEqual(JSON.parse(writeJsonLd(article)), article);
  });

  const refused = [
    ...attacks,
    '<script type="application/ld+json" src="x">{}</script>',
    '<script type="module">{}</script>',
    `<script type="application/ld+json">${JSON.stringify(article)}</script><p>x</p>`,
    '{"@context":"https://schema.org"',
    '{"@type":"Thing"}',
    '{"@context":"https://evil.example"}',
    '[[1]]',
    '"x"',
    `{"@context":"https://schema.org","a":${'['.repeat(30)}${']'.repeat(30)}}`,
    '{"@context":"https://schema.org","__proto__":{"a":1}}',
    '{"@context":"https://schema.org","a":[{"constructor":1}]}',
    '{"@context":"https://schema.org","\\u005f_proto__":1}',
    `{"@context":"https://schema.org","a":${'['.repeat(9900)}${']'.repeat(9900)}}`,
  ];
  for (const source of refused) {
    it(`is not ${JSON.stringify(source).slice(0, 70)}`, () => {
      assert.throws(() => readJsonLd(source), MarkupFault);
    });
  }
});
