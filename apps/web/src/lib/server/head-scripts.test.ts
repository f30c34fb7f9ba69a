import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { attacks } from '@cambist/html/attacks';
import { ownScripts } from './head-scripts.ts';

describe('scripts that a post brings', () => {
  it('are allowed by the hash of what stands in their element, to the letter', () => {
    const { elements, sources } = ownScripts(['a("ü")\n', 'b()']);
    const texts = [...elements.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    assert.deepEqual(texts, ['a("ü")\n', 'b()']);
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('base64'));
    assert.deepEqual(
      sources,
      hashes.map((hash) => `'sha256-${hash}'`),
    );
  });

  it('are left out where a browser would find their end elsewhere', () => {
    const leaving = ['</script><img src=x>', '<!-- <script>', 'a()\r\n', 'a(\0)', '\ud800'];
    assert.deepEqual(ownScripts(leaving), { elements: '', sources: [] });
    for (const attack of attacks) {
      const { elements } = ownScripts([attack]);
      const inside = elements.replace(/^<script>|<\/script>$/g, '');
      assert.doesNotMatch(inside, /<\/?script|<!--/i, attack);
    }
  });
});
