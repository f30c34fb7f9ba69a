/**
 * PostgreSQL refuses to run as root, so root must run it as somebody else, also
 * in a folder that only root may enter. Three ways, tried in this order:
 *
 * - `unshare`: a user namespace in which root is called `nobody`. No copy, no
 *   change of owner, the same process id.
 * - `setpriv`: user and group `nobody` with the one capability to pass closed
 *   folders. The data belongs to `nobody`.
 * - `copy`: binaries and data in a place that `nobody` can reach.
 *
 * The way is recorded beside the data, since another one would later fail on
 * the ownership of the files.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface Account {
  way: 'direct' | 'unshare' | 'setpriv' | 'copy';
  uid: number;
  gid: number;
}

export interface Launch {
  /** What stands before the program's own path and arguments. */
  prefix: string[];
  /** Set where Node itself must change the user. */
  uid?: number;
  gid?: number;
}

/** Every way that may work for this user and this folder, best first. */
export function accounts(recorded: Account | null, clusterDirectory: string): Account[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid !== 0) return [{ way: 'direct', uid, gid }];
  if (recorded?.way === 'direct' && existsSync(clusterDirectory)) {
    // An ordinary user made the data and now root starts: run it as its owner.
    const owner = statSync(clusterDirectory);
    return [{ way: 'setpriv', uid: owner.uid, gid: owner.gid }];
  }
  if (recorded !== null) return [recorded];
  const nobody = findNobody();
  const ways = ['unshare', 'setpriv', 'copy'] as const;
  return ways.map((way) => ({ way, ...nobody })).filter(isPossible);
}

/** How to start a program under this account. */
export function launchAs({ way, uid, gid }: Account): Launch {
  const pdeathsig = hasSetpriv() ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
  switch (way) {
    case 'direct':
      return { prefix: pdeathsig };
    case 'unshare':
      // In this order PostgreSQL stops by itself when its parent is killed.
      return { prefix: [...unshareWords(uid, gid), ...pdeathsig] };
    case 'setpriv':
      return { prefix: setprivWords(uid, gid) };
    case 'copy':
      return { prefix: pdeathsig, uid, gid };
  }
}

/** Where a cluster that `nobody` must reach by himself is kept, one for each data folder. */
export function reachableHome(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join('/var/lib/cambist', name);
}

/** Copies the binaries to where `nobody` can run them, once. Answers the copy's folder. */
export function copyBinaries(native: string, home: string, version: string): string {
  const target = join(home, `native-${version}`);
  if (!existsSync(join(target, 'complete'))) {
    cpSync(native, target, { recursive: true, force: true, verbatimSymlinks: true });
    // The umask may have closed what was open in the package.
    spawnSync('chmod', ['-R', 'a+rX', home]);
    mkdirSync(join(target, 'complete'));
  }
  return target;
}

/** Gives the folder to the account when the server itself must own it. */
export function giveTo({ way, uid, gid }: Account, folder: string): void {
  if (way === 'setpriv' || way === 'copy') chownSync(folder, uid, gid);
}

function isPossible(account: Account): boolean {
  if (account.way === 'copy') return true;
  const [program = '', ...words] = launchAs(account).prefix;
  const probe = spawnSync(program, [...words, 'id', '-un'], { encoding: 'utf8', cwd: '/' });
  return probe.status === 0 && probe.stdout.trim() !== 'root';
}

function unshareWords(uid: number, gid: number): string[] {
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

function setprivWords(uid: number, gid: number): string[] {
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
  ];
}

let setprivFound: boolean | undefined;

/** BusyBox has a setpriv too, without this option, so it is tried and not only looked for. */
function hasSetpriv(): boolean {
  setprivFound ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { cwd: '/' }).status === 0;
  return setprivFound;
}

/** The server looks its user up by name, so the id must stand in the passwd file. */
function findNobody(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entries = lines.map((line) => line.split(':'));
  const entry =
    entries.find(([name]) => name === 'nobody') ?? entries.find(([, , id]) => id !== '0');
  const uid = Number.parseInt(entry?.[2] ?? '', 10);
  const gid = Number.parseInt(entry?.[3] ?? '', 10);
  return { uid: uid || 65_534, gid: gid || 65_534 };
}
