import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { firstChoice } from '#lib/admin/comparison.ts';
import { samplePost } from '../sample-post.ts';
import { twoTexts, type Sides } from './two-texts.ts';

const kept = samplePost;
// The service has tidied what was sent; nobody has changed it for that.
const sent = { ...kept, body: '<p>Words.</p><script></script>' };
const labels = Object.fromEntries(Object.keys(kept).map((name) => [name, name])) as Record<
  keyof PostContent,
  string
>;

function met(own: Pick<Sides, 'mine' | 'theirs'>) {
  const texts = twoTexts(labels, { sent, kept, ...own });
  const sides = Object.fromEntries(texts.fields.map((field) => [field.path, firstChoice(field)]));
  return { texts, sides };
}

describe('two texts of a post', () => {
  it('go on as one where each has changed other fields, and neither is lost', () => {
    const mine = { ...sent, title: 'Mine', tags: ['rates', 'mine'] };
    const theirs = { ...kept, body: '<p>Theirs.</p>', excerpt: 'Theirs' };
    const { texts, sides } = met({ mine, theirs });
    assert.deepEqual(
      texts.fields.map(({ path, by }) => `${path} ${by}`),
      ['title mine', 'body theirs', 'excerpt theirs', 'tags mine'],
    );
    assert.deepEqual(texts.chosen(sides), { ...theirs, title: 'Mine', tags: ['rates', 'mine'] });
    assert.deepEqual([texts.loses('mine', sides), texts.loses('theirs', sides)], [false, false]);
  });

  it('keep what one alone has changed where both have changed another field', () => {
    const mine = { ...sent, body: '<p>Mine.</p>', excerpt: 'Mine' };
    const theirs = { ...kept, title: 'Theirs', body: '<p>Theirs.</p>' };
    const { texts, sides } = met({ mine, theirs });
    assert.deepEqual(texts.chosen(sides), { ...mine, title: 'Theirs' });
    assert.deepEqual([texts.loses('mine', sides), texts.loses('theirs', sides)], [false, true]);
    const other = { ...sides, body: 'theirs' as const };
    assert.deepEqual(texts.chosen(other), { ...theirs, excerpt: 'Mine' });
    assert.equal(texts.loses('mine', other), true);
  });

  it('do not differ where both have changed a field to the same', () => {
    const { texts, sides } = met({
      mine: { ...sent, title: 'Same' },
      theirs: { ...kept, title: 'Same', author: 'Theirs' },
    });
    assert.deepEqual(texts.chosen(sides), { ...kept, title: 'Same', author: 'Theirs' });
  });

  it('differ where only the formatting of the text does', () => {
    const mine = { ...sent, body: '<p><u>Words.</u></p>' };
    const [body] = met({ mine, theirs: kept }).texts.fields;
    assert.deepEqual(body && [body.before, body.mine], ['Words.', 'Words.']);
  });

  it('keep a picture with its own description', () => {
    const mine = { ...sent, cover: '/media/mine.jpg', cover_alt: 'Mine' };
    const { texts, sides } = met({ mine, theirs: { ...kept, cover_alt: 'Theirs' } });
    assert.deepEqual(
      texts.fields.map(({ path, by }) => `${path} ${by}`),
      ['cover both'],
    );
    assert.equal(texts.chosen(sides).cover_alt, 'Mine');
    assert.equal(texts.chosen({ cover: 'theirs' }).cover, null);
  });
});
