import assert from 'node:assert/strict';
import { it } from 'node:test';
import { missingAt } from './missing.ts';

const at = (route: string | null, query = '') => missingAt(route, new URLSearchParams(query));

it('a missing page of the blog is named by what it would be', () => {
  assert.equal(at('/(site)/blog/[slug]'), 'post');
  assert.equal(at('/(site)/blog/[slug]', 'page=2'), 'post');
  assert.equal(at('/(site)/blog/preview/[token]'), 'preview');
  assert.equal(at('/(site)/blog/tag/[tag]'), 'tag');
  assert.equal(at('/(site)/blog/tag/[tag]', 'page=99'), 'page');
  // A page that is no number is the first page, which every tag has.
  assert.equal(at('/(site)/blog/tag/[tag]', 'page=1'), 'tag');
  assert.equal(at('/(site)/blog/tag/[tag]', 'page=abc'), 'tag');
  assert.equal(at('/(site)/blog', 'q=rate&page=99'), 'page');
  assert.equal(at(null), 'post');
});
