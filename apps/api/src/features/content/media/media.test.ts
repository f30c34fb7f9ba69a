import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { mediaWidths, parseMediaPath } from '@cambist/contract/media';
import sharp from 'sharp';
import { HOUR } from '#kernel/clock.ts';
import { startTestApi } from '#test/harness.ts';
import { folder } from './media.ts';
import { media } from './routes.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { client: member } = await api.asMember();

const jpegOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6b4c' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer();

const send = (bytes: Uint8Array, name = 'desk.jpg', client = admin) =>
  client.upload('/api/admin/media', 'file', { bytes, name, type: 'image/jpeg' });

const added = async (name?: string) => {
  const { body } = await send(await jpegOf(700, 350), name);
  return body.data;
};

describe('the widths of a picture', () => {
  it('are the ladder below its own, and its own up to 1920', () => {
    assert.deepEqual(mediaWidths(100), [100]);
    assert.deepEqual(mediaWidths(640), [320, 640]);
    assert.deepEqual(mediaWidths(5000), [320, 640, 960, 1280, 1920]);
  });
});

describe('POST /api/admin/media', () => {
  it('keeps the picture in every width and format, without what it told besides', async () => {
    const { status, body } = await send(await jpegOf(700, 350));
    assert.equal(status, 201);
    const { path, fallback, width, height, name, alt } = body.data;
    assert.deepEqual(
      { width, height, name, alt },
      { width: 700, height: 350, name: 'desk', alt: '' },
    );
    const of = parseMediaPath(path);
    assert.equal(of?.width, 700);
    assert.match(fallback, /-700\.jpg$/);
    for (const each of [320, 640, 700]) {
      for (const [format, type] of Object.entries({ avif: 'heif', webp: 'webp', jpg: 'jpeg' })) {
        const url: string = `/media/${of?.id}-${each}.${format}`;
        const response = await api.app.inject(url);
        assert.equal(response.statusCode, 200, url);
        const found = await sharp(response.rawPayload).metadata();
        assert.deepEqual([found.format, found.width, found.exif], [type, each, undefined], url);
      }
    }
  });

  it('keeps what is see-through, and stands pictures upright', async () => {
    const seeThrough = await sharp({
      create: { width: 50, height: 50, channels: 4, background: '#00000000' },
    })
      .png()
      .toBuffer();
    assert.match((await send(seeThrough)).body.data.fallback, /-50\.png$/);
    const turned = await sharp({
      create: { width: 60, height: 30, channels: 3, background: '#fff' },
    })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { width, height } = (await send(turned)).body.data;
    assert.deepEqual([width, height], [30, 60]);
  });

  it('keeps the colours of deep, grey and see-through pictures, encoded once', async () => {
    const create = { width: 400, height: 200, background: '#b08040' } as const;
    const deep = sharp({ create: { ...create, channels: 3 } })
      .toColourspace('rgb16')
      .png();
    const grey = sharp({ create: { ...create, channels: 3 } })
      .greyscale()
      .png();
    const clear = sharp({ create: { ...create, channels: 4 } }).png();
    const lossy = sharp({ create: { ...create, channels: 3 } }).jpeg({ quality: 100 });
    for (const [of, colour] of [
      [deep, [0xb0, 0x80, 0x40]],
      [grey, [0x8a, 0x8a, 0x8a]],
      [clear, [0xb0, 0x80, 0x40]],
      [lossy, [0xb0, 0x80, 0x40]],
    ] as const) {
      const { fallback } = (await send(await of.toBuffer())).body.data;
      for (const path of [fallback, fallback.replace(/(png|jpg)$/, 'webp')]) {
        const { rawPayload } = await api.app.inject(path);
        const drawn = sharp(rawPayload).removeAlpha().toColourspace('srgb');
        const [red = -1, green = -1, blue = -1] = await drawn.raw().toBuffer();
        for (const [at, found] of [red, green, blue].entries()) {
          const wanted = colour[at] ?? -1;
          assert.ok(Math.abs(found - wanted) <= 4, `${path}: ${found} for ${wanted}`);
        }
      }
    }
  });

  it('asks for the permission (401, 403)', async () => {
    const bytes = await jpegOf(10, 10);
    assert.equal((await send(bytes, 'a.jpg', api.client())).status, 401);
    assert.equal((await send(bytes, 'a.jpg', member)).status, 403);
  });
});

describe('GET /media/{name}', () => {
  it('may be kept for good, and is not sent twice', async () => {
    const { path } = await added();
    const first = await api.app.inject(path);
    assert.equal(first.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(first.headers['content-type'], 'image/webp');
    const again = await api.app.inject({
      url: path,
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    assert.equal(again.statusCode, 304);
    const weak = await api.app.inject({
      url: path,
      headers: { 'if-none-match': `"x", W/${String(first.headers['etag'])}` },
    });
    assert.equal(weak.statusCode, 304);
  });

  it('is not kept as missing when only its file is gone', async () => {
    const { id, path } = await added();
    const files = await api.db
      .selectFrom('media_files')
      .select('stored_name')
      .where('media_id', '=', id)
      .execute();
    for (const { stored_name } of files) await api.deps.files.remove(folder, stored_name);
    const response = await api.app.inject(path);
    assert.equal(response.statusCode, 404);
    assert.doesNotMatch(String(response.headers['cache-control']), /immutable/);
  });

  it('answers 404 for every other name', async () => {
    const { path } = await added();
    for (const url of [
      path.replace('-700', '-701'),
      path.replace('webp', 'svg'),
      '/media/x',
      '/media/..%2fproofs',
      '/media/',
    ]) {
      assert.equal((await api.app.inject(url)).statusCode, 404, url);
    }
  });
});

describe('the library', () => {
  it('is listed by the newest, found by the beginnings of words, and paged', async () => {
    const red = await added('A red door.jpg');
    await admin.patch(`/api/admin/media/${red.id}`, { alt: 'Entrance of the desk' });
    const found = async (q: string) =>
      (await admin.get(`/api/admin/media?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    assert.deepEqual(await found('red doo'), [red.id]);
    assert.deepEqual(await found('entr'), [red.id]);
    assert.deepEqual(await found("nothing:* & 'x"), []);
    const { body } = await admin.get('/api/admin/media?per_page=1');
    assert.equal(body.data[0].id, red.id);
    const { body: next } = await admin.get(
      `/api/admin/media?per_page=1&cursor=${body.meta.next_cursor}`,
    );
    assert.notEqual(next.data[0].id, red.id);
  });

  it('sweeps files that a crash left', async () => {
    await api.deps.files.save(folder, Buffer.from('left'), 'webp');
    const before = (await api.deps.files.list(folder)).length;
    api.clock.advance(2 * HOUR);
    const [sweep] = media.tasks?.(api.deps) ?? [];
    await sweep?.run(api.clock.now(), AbortSignal.any([]));
    assert.equal((await api.deps.files.list(folder)).length, before - 1);
  });
});
