/** A picture that comes a second time. */
import assert from 'node:assert/strict';
import { truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { startTestApi } from '#test/harness.ts';
import { anotherFile } from '#test/factories/pictures.ts';
import { folder } from './media.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

const jpeg = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#0b6b4c' } })
  .jpeg()
  .toBuffer();

const send = async (bytes: Buffer, name = 'desk.jpg') => {
  const upload = { bytes, name, type: 'image/jpeg' };
  const answer = await admin.upload('/api/admin/media', 'file', upload);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};
const all = async () => (await admin.get('/api/admin/media')).body.data;

describe('the same file again', () => {
  it('is the picture that is there, as it is', async () => {
    const bytes = anotherFile(jpeg);
    const { known, ...first } = await send(bytes, 'desk.jpg');
    assert.equal(known, false);
    await admin.patch(`/api/admin/media/${first.id}`, { alt: 'A desk' });
    const again = await send(bytes, 'copy.jpg');
    assert.deepEqual(again, { ...first, alt: 'A desk', known: true });
    assert.equal((await all()).length, 1);
    assert.notEqual((await send(anotherFile(jpeg), 'desk.jpg')).id, first.id);
  });

  it('is one picture too where it comes four times at one moment, with no files left over', async () => {
    const bytes = anotherFile(jpeg);
    const before = (await all()).length;
    const names = ['a', 'b', 'c', 'd'];
    const items = await Promise.all(names.map((name) => send(bytes, `${name}.jpg`)));
    assert.equal(new Set(items.map(({ id }) => id)).size, 1);
    assert.equal(items.filter(({ known }) => !known).length, 1);
    assert.equal((await all()).length, before + 1);
    const rows = await api.db.selectFrom('media_files').select('stored_name').execute();
    const stored = (await api.deps.files.list(folder)).map(({ name }) => name);
    assert.deepEqual(new Set(stored), new Set(rows.map(({ stored_name }) => stored_name)));
  });

  it('brings back what is lost of it, under the same names, and leaves the rest', async () => {
    const bytes = anotherFile(await sharp(jpeg).resize(700, 400).toBuffer());
    const { known: _new, ...first } = await send(bytes, 'desk.jpg');
    const filesOf = () =>
      api.db
        .selectFrom('media_files')
        .select(['width', 'format', 'stored_name'])
        .where('media_id', '=', first.id)
        .orderBy('stored_name')
        .execute();
    const before = await filesOf();
    const [gone, cut, ...whole] = before;
    assert.ok(gone && cut && whole.length > 0);
    const at = (name: string) => join(api.deps.config.dataDir, folder, name);
    await unlink(at(gone.stored_name));
    await truncate(at(cut.stored_name), 1);
    const both = await Promise.all([send(bytes, 'desk.jpg'), send(bytes, 'desk.jpg')]);
    for (const again of both) assert.deepEqual(again, { ...first, known: true });
    const now = await filesOf();
    assert.equal(now.length, before.length);
    assert.deepEqual(
      whole.filter(({ stored_name }) => !now.some((row) => row.stored_name === stored_name)),
      [],
    );
    for (const { width, format } of now) {
      const path = first.path.replace(/-\d+\.webp$/, `-${width}.${format}`);
      const { status, body } = await admin.get(path);
      assert.equal(status, 200, path);
      assert.ok(body !== '', path);
    }
    const stored = new Set((await api.deps.files.list(folder)).map(({ name }) => name));
    assert.ok(!stored.has(cut.stored_name));
    assert.ok(now.every(({ stored_name }) => stored.has(stored_name)));
  });

  it('is new once that picture is deleted', async () => {
    const bytes = anotherFile(jpeg);
    const { id } = await send(bytes, 'desk.jpg');
    assert.equal((await admin.delete(`/api/admin/media/${id}`)).status, 204);
    const again = await send(bytes, 'desk.jpg');
    assert.deepEqual([again.known, again.id === id], [false, false]);
  });
});
