import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasScripts } from './has-scripts.ts';

describe('hasScripts', () => {
  it('finds what runs, and takes no JSON-LD for it, whatever its strings hold', () => {
    const json = '{"@context":"https://schema.org","text":"Write <script>x</script>"}';
    assert.equal(hasScripts(json), false);
    assert.equal(hasScripts('<script type="application/ld+json">{"a":"<script>"}</script>'), false);
    assert.equal(hasScripts('<script type="application/ld+json">{'), false);
    assert.equal(hasScripts('<script>run()</script>'), true);
    assert.equal(
      hasScripts('<script type="application/ld+json">{}</script>\n<script>run()</script>'),
      true,
    );
  });
});
