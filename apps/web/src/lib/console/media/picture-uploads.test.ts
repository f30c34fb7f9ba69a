import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, { $state: Object.assign(same, { raw: same }) });
standIn({
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '#lib/api/upload.ts': 'export const upload = (_, { file }) => globalThis.kept(file.name)',
});
standInMessages();
const { ApiError } = await import('#lib/api/client.ts');
const { PictureUploads } = await import('./picture-uploads.svelte.ts');

it('names each file whose picture is in the library already, and tells it from what is new', async () => {
  const names: Record<string, string> = { 'a.jpg': 'p1', 'b.jpg': 'p1', 'c.jpg': 'p2' };
  Object.assign(globalThis, {
    kept: (file: string) =>
      Promise.resolve({ data: { name: names[file] ?? file, known: file in names, age_ms: 9e9 } }),
  });
  const added: (readonly [string, boolean])[] = [];
  const uploads = new PictureUploads(({ name }, isNew) => added.push([name, isNew]));
  const files = ['a.jpg', 'b.jpg', 'new.jpg', 'c.jpg'];
  uploads.add(files.map((name) => new File(['x'], name, { type: 'image/jpeg' })));
  while (added.length < files.length) await new Promise(setImmediate);
  assert.deepEqual(uploads.known, [
    { file: 'a.jpg', name: 'p1' },
    { file: 'b.jpg', name: 'p1' },
    { file: 'c.jpg', name: 'p2' },
  ]);
  assert.deepEqual(
    added.filter(([, isNew]) => isNew).map(([name]) => name),
    ['new.jpg'],
  );
});

describe('a file that was not taken', () => {
  const file = () => new File(['x'], 'a.jpg', { type: 'image/jpeg', lastModified: 1 });
  const refused = (status: number) =>
    Promise.reject(
      new ApiError({ status, code: '', message: 'No.', errors: {}, request_id: null }),
    );
  const settled = async (uploads: InstanceType<typeof PictureUploads>) => {
    await new Promise(setImmediate);
    const isOnItsWay = () =>
      uploads.list.some(({ state }) => state === 'waiting' || state === 'sending');
    while (isOnItsWay()) await new Promise(setImmediate);
    return uploads.list.map(({ state, message }) => `${state} ${message}`);
  };

  it('stands in the list once, however often it is chosen', async () => {
    let asked = 0;
    Object.assign(globalThis, { kept: () => refused((asked += 1) === 2 ? 500 : 422) });
    const uploads = new PictureUploads(() => {});
    uploads.add([file(), file()]);
    assert.deepEqual(await settled(uploads), ['refused No.']);
    uploads.add([file()]);
    assert.deepEqual(await settled(uploads), ['failed media_unanswered_fault']);
    uploads.add([file()]);
    assert.deepEqual(await settled(uploads), ['refused No.']);
    assert.equal(asked, 3);
    const named = (text: string) =>
      new File([text], 'a.jpg', { type: 'image/jpeg', lastModified: 2 });
    uploads.add([named('y')]);
    assert.equal((await settled(uploads)).length, 1);
    uploads.add([named('xy')]);
    assert.equal((await settled(uploads)).length, 2);
  });

  for (const [what, age_ms, isNew] of [
    ['is new where the try without an answer had added it', 0, true],
    ['was there before where it is older than that try', 60_000, false],
  ] as const)
    it(what, async () => {
      Object.assign(globalThis, { kept: () => refused(0) });
      const added: boolean[] = [];
      const uploads = new PictureUploads((_item, fresh) => added.push(fresh));
      uploads.add([file()]);
      assert.deepEqual(await settled(uploads), ['failed media_unanswered']);
      const data = { name: 'a', known: true, age_ms };
      Object.assign(globalThis, { kept: () => Promise.resolve({ data }) });
      uploads.add([file()]);
      while (added.length === 0) await new Promise(setImmediate);
      assert.deepEqual(added, [isNew]);
      assert.deepEqual(uploads.known, isNew ? [] : [{ file: 'a.jpg', name: 'a' }]);
    });
});
