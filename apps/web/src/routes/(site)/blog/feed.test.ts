import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostCard } from '@cambist/contract/blog';
import { rss, type Feed } from './feed.ts';

const nasty = '</title><script>alert(1)</script> & "both\u0000\u0008\ud800" ]]> ’';
const post: PostCard = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  slug: 'a-post',
  title: nasty,
  excerpt: 'Short.',
  cover: null,
  cover_alt: '',
  author: 'Ada & Co',
  tags: ['R&D', 'Rates'],
  reading_minutes: 2,
  published_at: '2026-05-04T10:00:00.000Z',
  updated_at: '2026-05-05T11:30:00.000Z',
};
const feed: Feed = {
  origin: 'https://desk.test',
  title: 'Desk · Blog',
  description: 'Notes.',
  language: 'en',
  posts: [post],
};

describe('the feed of the blog', () => {
  it('contains nothing that ends an element or that XML forbids', () => {
    const text = rss(feed);
    assert.doesNotMatch(text, /<script|]]>/);
    assert.match(text, /&lt;\/title&gt;&lt;script&gt;/);
    assert.match(text, /<category>R&amp;D/);
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(text, /[\u0000-\u0008]/);
    assert.ok(text.isWellFormed());
  });

  it('has only absolute addresses', () => {
    const text = rss(feed);
    assert.match(text, /https:\/\/desk\.test\/blog\/a-post/);
    for (const [, address] of text.matchAll(/(?:href="|<link>)([^"<]*)/g)) {
      assert.match(address ?? '', /^https:\/\//);
    }
  });

  it('keeps the identity of a post that moves', () => {
    const moved = rss({ ...feed, posts: [{ ...post, slug: 'elsewhere' }] });
    assert.ok(rss(feed).includes(`urn:uuid:${post.id}`));
    assert.ok(moved.includes(`urn:uuid:${post.id}`));
  });

  it('has an excerpt as text, since feed readers expect HTML', () => {
    const posts = [{ ...post, excerpt: '<b>tags</b> & so' }];
    const described =
      '<description>&amp;lt;b&amp;gt;tags&amp;lt;/b&amp;gt; &amp;amp; so</description>';
    assert.ok(rss({ ...feed, posts }).includes(described));
  });

  it('has times in the format of RFC 822, also while it is empty', () => {
    assert.match(rss(feed), /<pubDate>Mon, 04 May 2026 10:00:00 GMT<\/pubDate>/);
    assert.match(rss(feed), /<lastBuildDate>Tue, 05 May 2026 11:30:00 GMT<\/lastBuildDate>/);
    assert.match(rss({ ...feed, posts: [] }), /<lastBuildDate>Thu, 01 Jan 1970/);
  });
});
