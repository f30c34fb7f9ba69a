import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { reservedSlugs } from '@cambist/contract/legal-pages';

/** The first segments of all addresses below this folder; groups in brackets are no part of them. */
function firstSegments(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      name.startsWith('(') ? firstSegments(new URL(`${name}/`, folder)) : [name],
    );
}

describe('the slugs that no legal page may take', () => {
  const segments = firstSegments(new URL('.', import.meta.url));

  it('are all addresses of this site that a slug could be', () => {
    const asSlugs = segments.filter((segment) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(segment));
    assert.ok(asSlugs.includes('blog') && asSlugs.includes('signin'), asSlugs.join());
    for (const slug of asSlugs) {
      assert.ok((reservedSlugs as readonly string[]).includes(slug), `${slug} is not reserved`);
    }
  });

  it('leave the other addresses to legal pages alone', () => {
    const taken = segments.filter((segment) => segment.startsWith('['));
    assert.deepEqual(taken, ['[slug]']);
  });
});
