import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { questionOf } = await import('./asked.ts');

const open = { maintenance: { enabled: false } };
const closed = { maintenance: { enabled: true } };

it('turning the maintenance mode or noindex on is asked about, and nothing else', () => {
  assert.ok(questionOf('general', open, closed));
  assert.equal(questionOf('general', closed, closed), null);
  assert.equal(questionOf('general', closed, open), null);
  assert.equal(questionOf('general', {}, open), null);
  assert.ok(questionOf('sitemap-robots', { noindex: false }, { noindex: true }));
  assert.equal(questionOf('seo', open, closed), null);
});
