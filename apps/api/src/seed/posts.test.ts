import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { cleanHtml } from '@cambist/html/clean';
import { newId } from '#kernel/id.ts';
import { startTestApi } from '#test/harness.ts';
import { demoPosts, seedPosts } from './posts.ts';
import type { DemoPictures } from './posts/demo-post.ts';

const api = await startTestApi({ after });

/** Their covers are noted in the library; nobody looks at them here. */
const size = { width: 1200, height: 675 };
const covers = demoPosts.map(({ cover }, at) => {
  const alt = `Picture ${at}`;
  return { cover, alt, key: `bcdfghjkmnpqrst${at + 2}` };
});
const rows = covers.map(({ key, alt }) => ({ id: newId(), key, name: alt, alt, ...size }));
await api.db
  .insertInto('media')
  .values(rows.map((row) => ({ ...row, fallback_format: 'jpg' as const, created_by: null })))
  .execute();
const pictures = Object.fromEntries(
  covers.map(({ cover, key, alt }) => [cover, { path: `/media/${key}-1200.webp`, alt, ...size }]),
) as unknown as DemoPictures;
const all = { ...pictures, quay: pictures.sum };
await seedPosts(api.deps, all);
const reader = api.client();

describe('the blog of the demo desk', () => {
  it('is published in the past, the newest first, with covers, tags and authors', async () => {
    const { body } = await reader.get('/api/public/blogs');
    assert.equal(body.data.length, demoPosts.length);
    const times = body.data.map(({ published_at }: { published_at: string }) => published_at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.ok(times[0] < api.clock.now().toISOString());
    for (const post of body.data) {
      assert.ok(post.cover && post.cover_alt && post.author && post.excerpt.length > 80, post.slug);
      assert.ok(post.reading_minutes >= 1);
      assert.ok(post.tags.length > 0);
      assert.equal(post.updated_at, post.published_at);
    }
  });

  it('says something, and nothing of it is cleaned away', async () => {
    for (const { slug, body } of demoPosts) {
      const { data } = (await reader.get(`/api/public/blogs/${slug}`)).body;
      const words = data.body.replace(/<[^>]*>/g, ' ').match(/\S+/g).length;
      assert.ok(words >= 300 && words <= 700, `${slug}: ${words} words`);
      const plain = (html: string) => html.replace(/\s+/g, '').replaceAll(' /', '');
      assert.equal(plain(data.body).length, plain(cleanHtml(body(all).trim())).length);
      assert.equal(
        data.body.match(/<(h2|h3|td|th|li|p|img)\b/g).length,
        body(all).match(/<(h2|h3|td|th|li|p|img)\b/g)?.length,
        slug,
      );
      assert.match(data.body, /<(table|ul|ol)>/);
    }
  });

  it('has posts that lead to each other by their tags', async () => {
    const { data } = (await reader.get(`/api/public/blogs/${demoPosts[0].slug}`)).body;
    assert.ok(data.related.length >= 2);
  });
});
