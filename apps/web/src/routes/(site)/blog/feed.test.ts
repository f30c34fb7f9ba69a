import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostCard } from '@cambist/contract/blog';
import { atom, rss, type Feed } from './feed.ts';

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

for (const [name, write] of Object.entries({ rss, atom })) {
  describe(`the feed as ${name}`, () => {
    it('contains nothing that ends an element or that XML forbids', () => {
      const text = write(feed);
      assert.doesNotMatch(text, /<script|]]>/);
      assert.match(text, /&lt;\/title&gt;&lt;script&gt;/);
      assert.match(text, /<category( term="|>)R&amp;D/);
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(text, /[\u0000-\u0008]/);
      assert.ok(text.isWellFormed());
    });

    it('has only absolute addresses', () => {
      const text = write(feed);
      assert.match(text, /https:\/\/desk\.test\/blog\/a-post/);
      for (const [, address] of text.matchAll(/(?:href="|<link>)([^"<]*)/g)) {
        assert.match(address ?? '', /^https:\/\//);
      }
    });

    it('keeps the identity of a post that moves', () => {
      const moved = write({ ...feed, posts: [{ ...post, slug: 'elsewhere' }] });
      assert.ok(write(feed).includes(`urn:uuid:${post.id}`));
      assert.ok(moved.includes(`urn:uuid:${post.id}`));
    });

    it('is identical while nothing is written', () => {
      const empty = { ...feed, posts: [] };
      assert.equal(write(empty), write(empty));
      assert.match(write(empty), /1970|1 Jan 1970/);
    });
  });
}

it('an excerpt is text, also where RSS has HTML', () => {
  const posts = [{ ...post, excerpt: '<b>tags</b> & so' }];
  const described =
    '<description>&amp;lt;b&amp;gt;tags&amp;lt;/b&amp;gt; &amp;amp; so</description>';
  assert.ok(rss({ ...feed, posts }).includes(described));
  assert.match(atom({ ...feed, posts }), /<summary>&lt;b&gt;tags&lt;\/b&gt; &amp; so<\/summary>/);
});

describe('the times of a feed', () => {
  it('have the format of RFC 822 in RSS', () => {
    assert.match(rss(feed), /<pubDate>Mon, 04 May 2026 10:00:00 GMT<\/pubDate>/);
    assert.match(rss(feed), /<lastBuildDate>Tue, 05 May 2026 11:30:00 GMT<\/lastBuildDate>/);
  });

  it('never date a change before the publication', () => {
    const scheduled = { ...post, updated_at: '2026-05-01T00:00:00.000Z' };
    assert.match(atom({ ...feed, posts: [scheduled] }), /<updated>2026-05-04T10:00:00.000Z/);
    assert.doesNotMatch(atom({ ...feed, posts: [scheduled] }), /2026-05-01/);
  });
});
