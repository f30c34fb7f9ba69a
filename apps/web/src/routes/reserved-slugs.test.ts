import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { reservedSlugs } from '@cambist/contract/legal-pages';

/** The first segments of all routes, without groups. */
function firstSegments(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      name.startsWith('(') ? firstSegments(new URL(`${name}/`, folder)) : [name],
    );
}

describe('the slugs reserved from legal pages', () => {
  const segments = firstSegments(new URL('.', import.meta.url));

  it('are all routes of this site that could be a slug', () => {
    const asSlugs = segments.filter((segment) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(segment));
    assert.ok(asSlugs.includes('blog') && asSlugs.includes('signin'), asSlugs.join());
    for (const slug of asSlugs) {
      assert.ok((reservedSlugs as readonly string[]).includes(slug), `${slug} is not reserved`);
    }
  });

  it('leave other slugs to legal pages', () => {
    const taken = segments.filter((segment) => segment.startsWith('['));
    assert.deepEqual(taken, ['[slug]']);
  });
});
