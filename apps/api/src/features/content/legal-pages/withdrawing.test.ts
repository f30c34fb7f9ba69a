/** What the settings name stays on the site also where no way in to the settings is open. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { startTestApi } from '#test/harness.ts';
import { legalPages } from './routes.ts';

const api = await startTestApi({ after }, { features: [legalPages, auth] });
const { client: admin } = await api.asAdmin();

it('a page that sign-up leads to is not taken off the site', async () => {
  const { body } = await admin.post('/api/admin/legal-pages', { title: 'Terms' });
  const at = `/api/admin/legal-pages/${body.data.id}`;
  const content = { ...body.data.content, body: '<p>Words.</p>' };
  const saved = await admin.put(`${at}/draft`, { version: body.data.version, content });
  const shown = await admin.post(`${at}/publication`, { version: saved.body.data.version });
  assert.equal(shown.status, 200, shown.text);
  const kept = await admin.delete(`${at}/publication`);
  assert.deepEqual([body.data.slug, kept.body.code], ['terms', 'page_is_named']);
});

it('the public list names where pages were that were taken off, and none that was never shown', async () => {
  const begun = await admin.post('/api/admin/legal-pages', { title: 'Off now' });
  const at = `/api/admin/legal-pages/${begun.body.data.id}`;
  const content = { ...begun.body.data.content, body: '<p>Words.</p>' };
  const saved = await admin.put(`${at}/draft`, { version: begun.body.data.version, content });
  const shown = await admin.post(`${at}/publication`, { version: saved.body.data.version });
  const { version } = shown.body.data;
  const moved = await admin.put(`${at}/address`, { version, slug: 'off-later' });
  assert.equal(moved.status, 200, moved.text);
  await admin.post('/api/admin/legal-pages', { title: 'Never shown' });
  const withdrawn = async () => (await api.client().get('/api/legal-pages')).body.withdrawn;
  assert.deepEqual(await withdrawn(), []);
  await admin.delete(`${at}/publication`);
  assert.deepEqual(await withdrawn(), ['off-later', 'off-now']);
});

it('a page comes back as it was, and a draft that was saved meanwhile stays one', async () => {
  const begun = await admin.post('/api/admin/legal-pages', { title: 'Back again' });
  const at = `/api/admin/legal-pages/${begun.body.data.id}`;
  const never = await admin.put(`${at}/publication`);
  assert.deepEqual([never.status, never.body.code], [409, 'never_published']);
  const save = async (version: number, body: string) => {
    const content = { ...begun.body.data.content, body };
    return (await admin.put(`${at}/draft`, { version, content })).body.data.version;
  };
  const version = await save(begun.body.data.version, '<p>Words.</p>');
  await admin.post(`${at}/publication`, { version });
  const off = await admin.delete(`${at}/publication`);
  await save(off.body.data.version, '<p>Other words.</p>');
  for (const answer of [
    await admin.put(`${at}/publication`),
    await admin.put(`${at}/publication`),
  ]) {
    const { state, versions, changed, content } = answer.body.data;
    assert.deepEqual([state, versions.length, changed], ['published', 1, true], answer.text);
    assert.equal(content.body, '<p>Other words.</p>');
  }
  const shown = await api.client().get('/api/legal-pages/slug/back-again');
  assert.equal(shown.body.data.body, '<p>Words.</p>');
});
