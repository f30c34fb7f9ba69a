/** The first data of a fresh database, by the API's own seed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../apps/api/src/config.ts';
import { ROOT } from './configuration.ts';

export interface FirstAdmin {
  adminEmail: string;
  /** Null when it was given, or was shown at an earlier start. */
  adminPassword: string | null;
}

type Seed = (config: Config, log: (line: string) => void) => Promise<FirstAdmin | null>;

/** Fills an empty database and leaves any other alone. */
export async function seedFirstData(
  config: Config,
  log: (line: string) => void,
): Promise<FirstAdmin | null> {
  const path = join(ROOT, 'apps/api/src/seed.ts');
  if (!existsSync(path)) return null;
  const { seed } = (await import(path)) as { seed: Seed };
  return seed(config, log);
}
