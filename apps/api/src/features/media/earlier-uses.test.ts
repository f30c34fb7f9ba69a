/** Pictures of texts that were kept before the library knew of them: migration 0049. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import sharp from 'sharp';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { anotherFile } from '#test/pictures.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

async function picture(): Promise<Json> {
  const create = { width: 400, height: 200, channels: 3, background: '#0b6b4c' } as const;
  const bytes = anotherFile(await sharp({ create }).png().toBuffer());
  const file = { bytes, name: 'desk.png', type: 'image/png' };
  return (await admin.upload('/api/admin/media', 'file', file)).body.data;
}

/** The table as it was, with what was noted in it. */
async function forgetThePast(): Promise<void> {
  await api.deps.sql.unsafe(`
    delete from media_uses where past;
    alter table media_uses drop column past;
    alter table media_uses add primary key (media_id, subject_kind, subject_id);`);
}

it('finds the pictures that only earlier revisions show, and once those that are shown still', async () => {
  const [gone, shown] = [await picture(), await picture()];
  let post = (await admin.post('/api/admin/blogs', { title: 'Older' })).body.data;
  for (const images of [[gone, shown], [shown]]) {
    const body = images.map(({ path }) => `<p><img src="${path}" alt="A desk"></p>`).join('');
    const content = { ...post.content, body };
    const change = { version: post.version, content, keep: true };
    const answer = await admin.put(`/api/admin/blogs/${post.id}/draft`, change);
    assert.equal(answer.status, 200, answer.text);
    post = answer.body.data;
  }
  const uses = async () => {
    const { data } = (await admin.get('/api/admin/media')).body;
    const of = ({ id }: Json) => data.find((each: Json) => each.id === id).uses;
    return [gone, shown].map((each) => of(each).map(({ past }: Json) => past));
  };
  const before = await uses();
  assert.deepEqual(before, [[true], [false]]);
  await forgetThePast();
  const file = new URL('../../../migrations/0049_pictures_of_before.sql', import.meta.url);
  const text = await readFile(file, 'utf8');
  await api.deps.sql.begin((tx) => tx.unsafe(text));
  assert.deepEqual(await uses(), before);
});
