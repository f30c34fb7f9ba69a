/** Pictures that the custom style sheet shows. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import sharp from 'sharp';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

it('a picture of the custom style sheet is not deleted while it is shown', async () => {
  const create = { width: 400, height: 200, channels: 3, background: '#0b6b4c' } as const;
  const file = {
    bytes: await sharp({ create }).png().toBuffer(),
    name: 'desk.png',
    type: 'image/png',
  };
  const picture: Json = (await admin.upload('/api/admin/media', 'file', file)).body.data;
  const path = '/api/admin/settings/custom-css';
  const put = async (css: string) => {
    const { version, value } = (await admin.get(path)).body.data;
    const answer = await admin.put(path, { version, value: { ...value, css } });
    assert.equal(answer.status, 200, answer.text);
  };
  const refused = async () => (await admin.delete(`/api/admin/media/${picture.id}`)).body?.code;
  const uses = () =>
    api.db.selectFrom('media_uses').select(['label', 'href', 'past']).orderBy('past').execute();
  const use = { label: 'Custom CSS', href: '/admin/settings/custom-css' };

  await put(`body { background: url(${picture.path}) }`);
  assert.deepEqual(await uses(), [{ ...use, past: false }]);
  assert.equal(await refused(), 'media_in_use');
  await put('body { color: black }');
  assert.deepEqual(await uses(), [{ ...use, past: true }]);
  assert.equal(await refused(), 'media_in_history');
  await put(`body { background: url("${picture.path}") }`);
  assert.deepEqual(await uses(), [
    { ...use, past: false },
    { ...use, past: true },
  ]);
});
