import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { feedFiles } from '@cambist/contract/feeds';
import { readXml, startFeedsDesk } from '#test/factories/feeds.ts';

const { api, admin, guest, path, overview } = await startFeedsDesk({ after });

async function switchMaintenance(enabled: boolean): Promise<void> {
  const url = '/api/admin/settings/general';
  const { version, value } = (await admin.get(url)).body.data;
  const maintenance = { ...value.maintenance, enabled };
  const answer = await admin.put(url, { version, value: { ...value, maintenance } });
  assert.equal(answer.status, 200, answer.text);
}

it('every feed is empty and valid during maintenance, and filled again afterwards', async () => {
  const items = async () =>
    (await readXml(api.db, (await guest.get(path('bestchange.xml'))).text)).length;
  const before = await items();
  assert.ok(before > 0);
  await switchMaintenance(true);
  assert.equal(await items(), 0);
  for (const file of feedFiles) assert.equal((await guest.get(path(file))).status, 200, file);
  const { enabled, files } = await overview();
  assert.equal(enabled, false);
  assert.ok(files.every((file: { items: number }) => file.items === 0));
  await switchMaintenance(false);
  assert.equal(await items(), before);
});
