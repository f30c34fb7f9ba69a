/** `npm run bench`: the benches, or those whose name contains one of the words, one after the other; numbers are handed on to them. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './configuration.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

const HELPERS = new Set(['bare-server.ts', 'phone.ts', 'service.ts']);

await runCommand(() => {
  const isNumber = (argument: string) => /^\d+$/.test(argument);
  const numbers = process.argv.slice(2).filter(isNumber);
  const words = process.argv.slice(2).filter((argument) => !isNumber(argument));
  const benches = readdirSync(join(ROOT, 'bench'))
    .filter((name) => name.endsWith('.ts') && !HELPERS.has(name))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  let code = 0;
  for (const name of benches) {
    say(name);
    code ||=
      spawnSync(process.execPath, [join(ROOT, 'bench', name), ...numbers], { stdio: 'inherit' })
        .status ?? 1;
  }
  return Promise.resolve(code);
});
