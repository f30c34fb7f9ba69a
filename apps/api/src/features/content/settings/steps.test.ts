import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { auth } from '#features/auth/routes.ts';
import { settings } from './routes.ts';
import { stepsOf } from './steps.ts';

const api = await startTestApi({ after }, { features: [settings, auth] });
const { client: admin } = await api.asAdmin();
const path = '/api/admin/settings/seo';
const titleNow = async (): Promise<string> => (await admin.get(path)).body.data.value.title;

async function latest(): Promise<Json> {
  return (await admin.get(`${path}/history`)).body.data[0];
}

async function write(title: string): Promise<number> {
  const { version, value } = (await admin.get(path)).body.data;
  const { status } = await admin.put(path, { version, value: { ...value, title } });
  assert.equal(status, 200);
  return version + 1;
}

async function restore(number: number, chosen = false): Promise<string> {
  const { version } = (await admin.get(path)).body.data;
  const answer = await admin.post(`${path}/history/${number}/restoration`, { version, chosen });
  assert.equal(answer.status, 200, answer.text);
  return titleNow();
}

async function go(...ways: readonly ('undo' | 'redo')[]): Promise<string[]> {
  const titles = [];
  for (const way of ways) titles.push(await restore((await latest())[way]));
  return titles;
}

describe('undo and redo', () => {
  it('walk back to what the desk said before anybody wrote, and forward again', async () => {
    const before = await titleNow();
    for (const title of ['a', 'b', 'c']) await write(title);
    assert.deepEqual(await go('undo', 'undo', 'undo'), ['b', 'a', before]);
    assert.equal((await latest()).undo, null);
    assert.deepEqual(await go('redo', 'redo', 'undo', 'redo', 'redo'), ['a', 'b', 'a', 'b', 'c']);
    assert.equal((await latest()).redo, null);
  });

  it('go on from what is saved after an undo', async () => {
    await write('d');
    await write('e');
    assert.deepEqual(await go('undo'), ['d']);
    await write('f');
    assert.equal((await latest()).redo, null);
    assert.deepEqual(await go('undo', 'undo', 'redo', 'redo'), ['d', 'c', 'd', 'f']);
  });

  it('take back the choice of an old version like any other change', async () => {
    const old = await write('g');
    await write('h');
    await write('i');
    assert.equal(await restore(old), 'g');
    assert.deepEqual(await go('undo', 'undo'), ['i', 'h']);
  });

  it('take it back too where it is the very version that undo leads to, or redo', async () => {
    await write('one');
    const two = await write('two');
    const three = await write('three');
    assert.equal(await restore(two, true), 'two');
    assert.equal((await latest()).redo, null);
    assert.deepEqual(await go('undo', 'undo', 'undo'), ['three', 'two', 'one']);
    assert.deepEqual(await go('redo'), ['two']);
    assert.equal(await restore(three, true), 'three');
    assert.deepEqual(await go('undo'), ['two']);
    await write('h');
  });

  it('pass over what changed nothing, whenever it was saved', async () => {
    await write('j');
    await write('k');
    await write('k');
    assert.deepEqual(await go('undo'), ['j']);
    await write('j');
    assert.deepEqual(await go('redo', 'undo', 'undo'), ['k', 'j', 'h']);
  });

  it('lead nowhere where it is not kept what was there', () => {
    const steps = stepsOf([
      { version: 4, restored: null, chosen: false, kept: false, same: false },
      { version: 5, restored: null, chosen: false, kept: true, same: false },
    ]);
    assert.deepEqual([steps.get(4)?.undo, steps.get(5)?.undo], [null, 4]);
  });
});
