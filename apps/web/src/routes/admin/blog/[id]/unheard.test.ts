import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/stand-in.ts';
import { samplePost } from '../sample-post.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
standInMessages();
const { ApiError } = await import('#lib/api.ts');
const { Unheard } = await import('./unheard.ts');

describe('a text whose saving was answered by', () => {
  /** What is answered in the end, where the post is this one by now. */
  async function saved(status: number, version: number, title = samplePost.title) {
    const error = new ApiError({ status, code: '', message: '', errors: {}, request_id: null });
    const now = { version, content: { ...samplePost, title } };
    const outcome = await new Unheard()
      .orFind(4, samplePost, {
        send: () => Promise.reject<typeof now>(error),
        read: () => Promise.resolve(now),
      })
      .catch((refusal: unknown) => refusal);
    return outcome === now ? 'saved' : outcome === error && 'refused';
  }

  it('nobody, or by a fault, is saved where the post has it', async () => {
    for (const status of [0, 500, 502]) assert.equal(await saved(status, 5), 'saved');
  });

  it('nobody is not where the post has what it had, or what somebody else has written', async () => {
    assert.equal(await saved(0, 4), 'refused');
    assert.equal(await saved(0, 5, 'Theirs'), 'refused');
  });

  it('a refusal is refused, whatever the post has', async () => {
    for (const status of [409, 422]) assert.equal(await saved(status, 5), 'refused');
  });
});
