/**
 * The API in one file instead of a thousand, most of which Node would strip of their types at every
 * start. Only `npm start` runs it; tests and commands run the sources. Its maps name lines of our
 * sources alone, because those of all packages would take seconds and memory at the first error.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import type { Build } from './build-folder.ts';
import { ROOT } from './configuration.ts';
import { PlainError, withPlainErrors } from './plain-error.ts';

const API = join(ROOT, 'apps/api');
/** Native, with files of their own, or loaded only where they are needed. */
const PACKAGES_OUTSIDE =
  /^(@libpdf\/core|@node-rs\/argon2|@zxcvbn-ts\/.*|nodemailer|pdfkit|sharp)$/;

const isPackage = (path: string) => path.includes('/node_modules/');

/** Modules find files by their own place, which stays that of the source. */
const sourcePlaces: Plugin = {
  name: 'source-places',
  transform(code, path) {
    if (isPackage(path)) return { code, map: { mappings: '' } };
    if (!code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
  },
};

export const apiBuild: Build = {
  name: 'API',
  folder: join(API, 'build'),
  // The migrations too: a database that one build has prepared is ready for it.
  sources: ['package-lock.json', 'apps/api/migrations', 'apps/api/src', 'packages', 'tools'],
  ignored: /^(build|node_modules)$|^\.|\.md$|\.test\.ts$/,
  async make(folder) {
    const { rolldown } = await import('rolldown');
    try {
      const bundle = await rolldown({
        input: { main: join(API, 'src/main.ts') },
        cwd: API,
        platform: 'node',
        external: PACKAGES_OUTSIDE,
        plugins: [sourcePlaces],
        // What it replaces moves columns of one line.
        checks: { sourcemapBroken: false },
      });
      await withPlainErrors(folder, () => bundle.write({ dir: folder, sourcemap: true }));
      await bundle.close();
    } catch (error) {
      if (error instanceof PlainError) throw error;
      throw new PlainError(`The API could not be built:\n${String(error)}`, { cause: error });
    }
  },
};
