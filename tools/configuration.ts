/**
 * Where the variables come from: the process environment, over the cache in
 * `DATA_DIR/cache/config.json`, which was made from `.env`. The service always
 * runs from the cache, so that an edit of `.env` takes effect when someone says
 * so (`npm run config:cache`) and not in the middle of something. `DATA_DIR`
 * alone is read from `.env` each time, since it says where the cache is.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig, warnings, type Config } from '../apps/api/src/config.ts';
import { VARIABLES, type VariableName, type Variables } from '../apps/api/src/environment.ts';
import { withPlainErrors } from './plain-error.ts';
import { makeFolder, writePrivately } from './private-file.ts';

export const ROOT = resolve(import.meta.dirname, '..');

type Values = Partial<Record<VariableName, string>>;

export interface Configuration {
  config: Config;
  /** The variables that `config` was read from, to pass on to children. */
  variables: Values;
  /** What the person who starts should know, plain sentences. */
  notes: string[];
}

export interface Files {
  env: Variables;
  /** Where `.env` lies. */
  root?: string;
}

/** The variables in `.env`; null when there is no such file. */
export function readEnvFile(root: string = ROOT): Values | null {
  const path = join(root, '.env');
  return existsSync(path) ? known(parseEnv(readFileSync(path, 'utf8'))) : null;
}

/** The cache's path, wherever DATA_DIR is set. */
export function cachePath({ env, root = ROOT }: Files): string {
  const file = readEnvFile(root) ?? {};
  const dataDir = env['DATA_DIR'] ?? file.DATA_DIR;
  const config = readConfig(dataDir === undefined ? {} : { DATA_DIR: dataDir });
  return join(config.dataDir, 'cache', 'config.json');
}

/** Makes the cache from `.env` anew. A value that cannot be used leaves the old cache in place. */
export async function writeCache(files: Files): Promise<string> {
  const values = readEnvFile(files.root) ?? {};
  readConfig({ ...values, ...known(files.env) });
  const path = cachePath(files);
  await withPlainErrors(path, () => {
    makeFolder(dirname(path));
    writePrivately(path, `${JSON.stringify(values, null, 2)}\n`);
  });
  return path;
}

/** Removes the cache; the next start makes it anew. False when there was none. */
export function clearCache(files: Files): boolean {
  const path = cachePath(files);
  const existed = existsSync(path);
  rmSync(path, { force: true });
  return existed;
}

/**
 * The configuration in force: the cache, or `.env` where there is none yet.
 * @throws {ConfigError} with every complaint.
 */
export function loadConfiguration(files: Files): Configuration {
  const { env, root = ROOT } = files;
  const file = readEnvFile(root);
  const cache = readCache(cachePath(files));
  const base = cache ?? file ?? {};
  const dataDir = file?.DATA_DIR;
  const variables = {
    ...base,
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
    ...known(env),
  };
  const notes = [...unknownNames(root), ...(cache === null ? [] : differences(cache, file))];
  return { config: readConfig(variables), variables, notes };
}

export function notesOn({ config, notes }: Configuration): string[] {
  return [...notes, ...warnings(config)].map((note) => `Note: ${note}`);
}

function readCache(path: string): Values | null {
  try {
    return known(JSON.parse(readFileSync(path, 'utf8')) as Variables);
  } catch (error) {
    // A cache that cannot be understood is no cache; one that may not be read is a complaint.
    const missing =
      error instanceof Error && 'code' in error && /^ENO(ENT|TDIR)$/.test(String(error.code));
    if (missing || error instanceof SyntaxError) return null;
    throw error;
  }
}

function differences(cache: Values, file: Values | null): string[] {
  if (file === null) {
    const empty = Object.keys(cache).length === 0;
    return empty ? [] : ['.env is missing; the configuration comes from its cache.'];
  }
  const differing = VARIABLES.filter(
    (name) => name !== 'DATA_DIR' && (cache[name] ?? '') !== (file[name] ?? ''),
  );
  if (differing.length === 0) return [];
  return [
    `.env has changed since it was cached (${differing.join(', ')}), and the cache is what counts. Run "npm run config:cache" and start again to use the change.`,
  ];
}

/** A misspelt name would silently do nothing. */
function unknownNames(root: string): string[] {
  const path = join(root, '.env');
  if (!existsSync(path)) return [];
  const names: readonly string[] = VARIABLES;
  const unknown = Object.keys(parseEnv(readFileSync(path, 'utf8'))).filter(
    (name) => !names.includes(name),
  );
  return unknown.length === 0 ? [] : [`.env sets ${unknown.join(', ')}, which nothing reads.`];
}

function known(values: Variables): Values {
  const found: Values = {};
  for (const name of VARIABLES) {
    const value = values[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
