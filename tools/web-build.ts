/** The frontend, as SvelteKit builds it. */
import { join } from 'node:path';
import type { Build } from './build-folder.ts';
import { runJob } from './child.ts';
import { ROOT } from './configuration.ts';
import { PlainError, systemSentence } from './plain-error.ts';

const WEB = join(ROOT, 'apps/web');

export const webBuild: Build = {
  name: 'frontend',
  folder: join(WEB, 'build'),
  sources: ['package-lock.json', 'apps/web', 'packages'],
  // The message compiler leaves hidden files and a README beside its settings.
  ignored: /^(build|node_modules|paraglide|cache)$|^\.(?!well-known)|\.md$|\.test\.ts$/,
  async make(folder, signal) {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
    const { code, lines } = await runJob({
      command: [process.execPath, vite, 'build', '--logLevel', 'warn'],
      cwd: WEB,
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', WEB_BUILD_FOLDER: folder },
      ...(signal === undefined ? {} : { signal }),
    });
    if (code === 0) return;
    const output = lines.join('\n');
    const cause = ['ENOSPC', 'EACCES', 'EROFS'].find((name) => output.includes(name)) ?? '';
    const sentence = systemSentence(Object.assign(new Error(output), { code: cause }), WEB);
    throw new PlainError(sentence ?? `The frontend could not be built:\n${output}`);
  },
};
