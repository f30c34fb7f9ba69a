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
  it('says that an animation is too large (422)', async () => {
    const create = { width: 1000, height: 1000, channels: 3, background: '#0b6b4c' } as const;
    const frame = await sharp({ create }).png().toBuffer();
    const other = await sharp({ create: { ...create, background: '#fff' } })
      .png()
      .toBuffer();
    const frames = Array.from({ length: 26 }, (_, index) => (index % 2 === 0 ? frame : other));
    const source = await sharp(frames, { join: { animated: true } })
      .gif({ effort: 1 })
      .toBuffer();
    const { status, body } = await send(source, 'long.gif');
    assert.equal(status, 422);
    assert.match(body.errors.file[0], /animation is too long or too large/);
  });

  it('says so too where very many small pictures make it up (422)', async () => {
    const screen = Buffer.from('474946383961100010009100000b6b4c000000ffffff000000', 'hex');
    const one = Buffer.from('21f90400050000002c0000000001000100000202440100', 'hex');
    const source = Buffer.concat([screen, ...Array.from({ length: 1001 }, () => one)]);
    const { status, body } = await send(Buffer.concat([source, Buffer.from(';')]), 'many.gif');
    assert.equal(status, 422);
    assert.match(body.errors.file[0], /animation is too long or too large/);
  });

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

  it('says whether a file is damaged, another kind or too large (422)', async () => {
    const whole = await jpeg();
    const tiff = sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } }).tiff();
    const large = { width: 8000, height: 6000, channels: 3, background: '#fff' } as const;
    const cases: [Buffer, RegExp][] = [
      [whole.subarray(0, whole.length / 2), /^The file is damaged/],
      [whole.subarray(0, 60), /^The file is damaged/],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), /not a JPEG/],
      [await tiff.toBuffer(), /not a JPEG.* whatever its name says/],
      [await sharp({ create: large }).png().toBuffer(), /more than 40 megapixels/],
    ];
    for (const [bytes, words] of cases) {
      const { status, body } = await send(bytes);
      assert.equal(status, 422);
      assert.match(body.errors.file[0], words);
    }
  });

  it('calls it as its sender does, with the quotes that browsers write as %22', async () => {
    const { body } = await send(await jpeg(), 'the %22odd%22 one.jpg');
    assert.equal(body.data.name, 'the "odd" one');
  });
});
