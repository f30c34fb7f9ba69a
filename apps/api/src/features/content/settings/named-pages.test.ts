/** The settings name legal pages that are there; one that is not hinders nothing else. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const path = '/api/admin/settings/general';

async function addPage(title: string): Promise<Json> {
  const { body } = await admin.post('/api/admin/legal-pages', { title });
  const content = { ...body.data.content, body: '<p>Words.</p>' };
  const at = `/api/admin/legal-pages/${body.data.id}`;
  const saved = await admin.put(`${at}/draft`, { version: body.data.version, content });
  const { version } = saved.body.data;
  const answer = await admin.post(`${at}/publication`, { version });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function write(change: Json) {
  const { value, version } = (await admin.get(path)).body.data;
  return admin.put(path, { version, value: { ...value, ...change } });
}

it('names the pages of terms and privacy by what is on the site', async () => {
  const refused = await write({ terms_slug: 'nowhere', site_name: 'Desk' });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.errors, {
    terms_slug: ['No legal page is on the site at /nowhere.'],
  });
  // What was stored already may name nothing: a new desk has no page of terms yet.
  assert.equal((await write({ site_name: 'Desk' })).status, 200);
  const page = await addPage('House rules');
  assert.equal((await write({ terms_slug: 'house-rules' })).status, 200);

  // Not even at its former address, to which the settings lead.
  const at = `/api/admin/legal-pages/${page.id}`;
  const moved = await admin.put(`${at}/address`, { version: page.version, slug: 'our-rules' });
  assert.equal(moved.status, 200, moved.text);
  const kept = await admin.delete(`${at}/publication`);
  assert.equal(kept.status, 409, kept.text);
  assert.equal(kept.body.code, 'page_is_named');
  assert.equal((await admin.get('/api/legal-pages/slug/house-rules')).status, 200);

  const other = await addPage('Other rules');
  assert.equal((await write({ terms_slug: other.slug })).status, 200);
  const off = await admin.delete(`${at}/publication`);
  assert.equal(off.status, 200, off.text);
  const gone = await write({ privacy_slug: 'house-rules' });
  const said = { privacy_slug: ['No legal page is on the site at /our-rules.'] };
  assert.deepEqual([gone.status, gone.body.errors], [422, said]);
});

it('names a page that has moved by its present address', async () => {
  const page = await addPage('Old rules');
  assert.equal((await write({ terms_slug: 'old-rules' })).status, 200);
  const at = `/api/admin/legal-pages/${page.id}/address`;
  assert.equal((await admin.put(at, { version: page.version, slug: 'new-rules' })).status, 200);
  assert.equal((await admin.get(path)).body.data.value.terms_slug, 'new-rules');
  for (const change of [{ site_name: 'Quay' }, { privacy_slug: 'old-rules' }]) {
    const saved = await write(change);
    assert.deepEqual([saved.status, saved.body.data?.value.terms_slug], [200, 'new-rules']);
  }
  assert.equal((await admin.get(path)).body.data.value.privacy_slug, 'new-rules');
});

it('never leaves the settings with a page that goes at the same time', async () => {
  for (let round = 0; round < 4; round += 1) {
    const page = await addPage(`Rules ${round}`);
    const [named, off] = await Promise.all([
      write({ terms_slug: page.slug }),
      admin.delete(`/api/admin/legal-pages/${page.id}/publication`),
    ]);
    assert.deepEqual(
      [named.status, off.status].toSorted(),
      named.status === 200 ? [200, 409] : [200, 422],
    );
  }
});
