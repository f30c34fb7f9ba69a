/** Legal pages at the edge of what they may be, and several at one moment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { maxPageBody } from '@cambist/contract/legal-page-writing';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();

const ROOT = '/api/admin/legal-pages';
const create = (title: string) => admin.post(ROOT, { title });
const begin = async (title: string): Promise<Json> => (await create(title)).body.data;
const save = ({ id, version, content }: Json, body: string) =>
  admin.put(`${ROOT}/${id}/draft`, { version, content: { ...content, body } });

describe('a long page', () => {
  it('may have all its characters in any script', async () => {
    const body = `<p>${'𠀀'.repeat(maxPageBody - '<p></p>'.length)}</p>`;
    const { status, text } = await save(await begin('Long'), body);
    assert.equal(status, 200, text.slice(0, 200));
  });

  it('is counted after cleaning (422)', async () => {
    const body = `<p>${'&'.repeat(maxPageBody / 2)}</p>`;
    const answer = await save(await begin('Longer'), body);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['content.body']]);
  });
});

it('of three pages that begin with one title at one moment, two are told (422)', async () => {
  const all = await Promise.all(Array.from({ length: 3 }, () => create('Cookies')));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [201, 422, 422]);
});

it('of two pages that move to one address at one moment, one is told (422)', async () => {
  const pages = [await begin('One'), await begin('Two')];
  const all = await Promise.all(
    pages.map(({ id, version }) =>
      admin.put(`${ROOT}/${id}/address`, { version, slug: 'one-place' }),
    ),
  );
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 422]);
});
