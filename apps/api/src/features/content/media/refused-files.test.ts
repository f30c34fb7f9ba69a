/** What the library does not take, and what its sender hears. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { attacks } from '@cambist/html/attacks';
import sharp from 'sharp';
import { startTestApi } from '#test/harness.ts';
import { folder } from './media.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

const jpeg = () =>
  sharp({ create: { width: 700, height: 350, channels: 3, background: '#0b6b4c' } })
    .jpeg()
    .toBuffer();

const send = (bytes: Uint8Array, name = 'desk.jpg') =>
  admin.upload('/api/admin/media', 'file', { bytes, name, type: 'image/jpeg' });

describe('POST /api/admin/media', () => {
  it('refuses what is no picture and leaves nothing on the disk (422)', async () => {
    const before = (await api.deps.files.list(folder)).length;
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    for (const bytes of [svg, '%PDF-1.7', 'GIF89a', '', ...attacks.slice(0, 3)]) {
      const { status, body } = await send(Buffer.from(bytes));
      assert.equal(status, 422, bytes);
      assert.ok(body.errors.file, bytes);
    }
    assert.equal((await api.deps.files.list(folder)).length, before);
  });

  it('says whether a file is unreadable or too large (422)', async () => {
    const whole = await jpeg();
    const tiff = sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } }).tiff();
    const large = { width: 8000, height: 6000, channels: 3, background: '#fff' } as const;
    const cases: [Buffer, RegExp][] = [
      [whole.subarray(0, whole.length / 2), /cannot be read/],
      [whole.subarray(0, 60), /cannot be read/],
      [
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
        /cannot be read/,
      ],
      [await tiff.toBuffer(), /cannot be read/],
      [await sharp({ create: large }).png().toBuffer(), /more than 40 megapixels/],
    ];
    for (const [bytes, words] of cases) {
      const { status, body } = await send(bytes);
      assert.equal(status, 422);
      assert.match(body.errors.file[0], words);
    }
  });
});
