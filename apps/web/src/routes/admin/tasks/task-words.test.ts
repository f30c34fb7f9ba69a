/** Every task of the service has words on its page. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { taskText } = await import('./task-words.ts');

it('every task has a name and a text', () => {
  const api = new URL('../../../../../api/src/features/', import.meta.url);
  const files = globSync('*/*.ts', { cwd: api }).filter((file) => !file.endsWith('.test.ts'));
  const tasks = files.flatMap((file) =>
    [...readFileSync(new URL(file, api), 'utf8').matchAll(/name: '([a-z-]+)',\s*cron:/g)].map(
      ([, name = '']) => name,
    ),
  );
  assert.ok(tasks.length > 15, 'the tasks were found');
  const silent = tasks.filter((name) => taskText(name) === null);
  assert.deepEqual(silent, []);
});
