import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standIn, standInMessages } from '#lib/stand-in.ts';

const same = <Value>(value: Value): Value => value;
Object.assign(globalThis, { $state: Object.assign(same, { raw: same }) });
standIn({
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '#lib/upload.ts': 'export const upload = (_, { file }) => globalThis.kept(file.name)',
});
standInMessages();
const { PictureUploads } = await import('./picture-uploads.svelte.ts');

it('names each file whose picture is in the library already, and tells it from what is new', async () => {
  const names: Record<string, string> = { 'a.jpg': 'p1', 'b.jpg': 'p1', 'c.jpg': 'p2' };
  Object.assign(globalThis, {
    kept: (file: string) =>
      Promise.resolve({ data: { name: names[file] ?? file, known: file in names } }),
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
