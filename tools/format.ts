/** `npm run format`: writes every file as the formatter wants it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './configuration.ts';

const formatter = join(ROOT, 'node_modules/oxfmt/bin/oxfmt');
const { status } = spawnSync(process.execPath, [formatter, '.'], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
