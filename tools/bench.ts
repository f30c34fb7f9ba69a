/** `npm run bench`: the benches, or those whose name contains one of the words, one after the other. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './configuration.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

const HELPERS = new Set(['bare-server.ts', 'desk.ts', 'grow.ts', 'questions.ts', 'service.ts']);

await runCommand(() => {
  const words = process.argv.slice(2);
  const benches = readdirSync(join(ROOT, 'bench'))
    .filter((name) => name.endsWith('.ts') && !HELPERS.has(name))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  let code = 0;
  for (const name of benches) {
    say(name);
    const path = join(ROOT, 'bench', name);
    const { status } = spawnSync(process.execPath, [path], { stdio: 'inherit' });
    code ||= status ?? 1;
  }
  return Promise.resolve(code);
});
