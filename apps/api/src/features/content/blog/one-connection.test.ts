/** With a single connection, a read beside the transaction would wait for it to end, and it for the read. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { settingsName } from '#features/content/settings/settings.ts';
import { transaction } from '#platform/db/database.ts';
import type { Answer, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { addTotp } from '#test/factories/second-factor.ts';

const api = await startTestApi({ after }, { poolSize: 1 });
const { client } = await api.asAdmin();
// Of whoever has none, each request asks the settings whether one is demanded.
await addTotp(client, api.clock.now());

const BLOGS = '/api/admin/blogs';

/** Sent while no settings are cached. */
async function fresh(ask: () => Promise<Answer>): Promise<Json> {
  await transaction(api.db, (tx) => api.deps.published.changed(tx, settingsName('security')));
  const answer = await ask();
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

describe('whatever is written of a post', () => {
  it('needs one connection alone', { timeout: 30_000 }, async () => {
    const made = await fresh(() => client.post(BLOGS, { title: 'A good proof' }));
    const path = `${BLOGS}/${made.id}`;
    const content = { ...made.content, body: '<p>What it shows.</p>' };
    const saved = await fresh(() =>
      client.put(`${path}/draft`, { version: made.version, content, keep: true }),
    );
    const published = await fresh(() =>
      client.post(`${path}/publication`, { version: saved.version, publish_at: null }),
    );
    const restored = await fresh(() =>
      client.post(`${path}/revisions/1/restoration`, { version: published.version }),
    );
    assert.equal(restored.state, 'published');
    const taken = await fresh(() => client.delete(`${path}/publication`));
    assert.equal(taken.state, 'draft');
  });
});
