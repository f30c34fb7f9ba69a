import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { parseMediaPath } from '@cambist/contract/media';
import sharp from 'sharp';
import { startTestApi } from '#test/harness.ts';
import { seedMedia } from './media.ts';

const api = await startTestApi({ after });
const pictures = await seedMedia(api.deps);

describe('the pictures of the demo desk', () => {
  it('lie in the library, each with words for who cannot see it', async () => {
    const { client } = await api.asAdmin();
    const { body } = await client.get('/api/admin/media');
    assert.equal(body.data.length, Object.keys(pictures).length);
    for (const item of body.data) {
      assert.ok(item.alt.length > 20, item.name);
      assert.deepEqual([item.width, item.height], [1200, 675], item.name);
    }
  });

  it('show what was drawn, in colours and not in one', async () => {
    for (const [name, { path }] of Object.entries(pictures)) {
      assert.ok(parseMediaPath(path));
      const { rawPayload } = await api.app.inject(path);
      const { channels } = await sharp(rawPayload).stats();
      assert.ok(
        channels.some(({ stdev }) => stdev > 5),
        name,
      );
    }
  });
});
