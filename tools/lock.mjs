/**
 * A lock file that says who holds it. Plain JavaScript, because the bootstrap
 * needs it before anything is installed. A holder that was killed is recognised
 * by its process id together with its start time, so a reused id never locks
 * anyone out and nobody has to delete a file by hand.
 */
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';

/**
 * @typedef {{ pid: number, born: string, note: string }} Holder
 *   `note` is for people: what the holder is, or where it answers.
 * @typedef {{ release: () => void }} Lock
 */

/** Thrown when a living process holds the lock. */
export class Locked extends Error {
  /** @param {Holder} holder */
  constructor(holder) {
    super(`held by process ${holder.pid}`);
    this.name = 'Locked';
    this.holder = holder;
  }
}

/**
 * Takes the lock or throws `Locked`. Released by `release()`, and by itself when
 * the process ends in any way.
 * @param {string} path
 * @param {string} note
 * @returns {Lock}
 */
export function takeLock(path, note) {
  /** @type {Holder} */
  const mine = { pid: process.pid, born: birth(process.pid) ?? '', note };
  for (;;) {
    if (create(path, mine)) break;
    const holder = holderOf(path);
    if (holder !== null) throw new Locked(holder);
    setAside(path);
  }
  let held = true;
  const release = () => {
    if (!held) return;
    held = false;
    process.off('exit', release);
    rmSync(path, { force: true });
  };
  process.once('exit', release);
  return { release };
}

/**
 * The living process that holds the lock, or null.
 * @param {string} path
 * @returns {Holder | null}
 */
export function holderOf(path) {
  try {
    return livingHolder(textOf(path) ?? '');
  } catch {
    return null;
  }
}

/**
 * Whether a process runs, zombies not counted: `kill(pid, 0)` succeeds on those.
 * @param {number} pid
 */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false;
  }
  return processState(pid) !== 'Z';
}

/**
 * Written whole before it has its name, so that nobody ever reads half a lock.
 * @param {string} path
 * @param {Holder} holder
 */
function create(path, holder) {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, JSON.stringify(holder));
  closeSync(file);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Then whoever was removing a dead holder's lock has died over it. */
const REMOVAL_MS = 5_000;

/**
 * Removes a dead holder's lock. One process at a time: another could read the dead one's name,
 * and remove what a living one has put in its place.
 * @param {string} path
 */
function setAside(path) {
  const guard = `${path}.removal`;
  try {
    closeSync(openSync(guard, 'wx', 0o600));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // Either way: a clock that was set back would keep it from ever growing old.
    if (Math.abs(Date.now() - since) > REMOVAL_MS) rmSync(guard, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    return;
  }
  try {
    // What a dead one has left stays until it is removed here, so it is still what was read.
    const left = textOf(path);
    if (left !== null && livingHolder(left) === null) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {string | null}
 */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @param {string} text
 * @returns {Holder | null}
 */
function livingHolder(text) {
  try {
    const { pid, born, note } = JSON.parse(text);
    const holder = { pid, born: String(born), note: String(note) };
    return Number.isInteger(pid) && isAlive(holder) ? holder : null;
  } catch {
    return null;
  }
}

/** @param {Holder} holder */
function isAlive(holder) {
  if (!isRunning(holder.pid)) return false;
  const born = birth(holder.pid);
  return born === null || holder.born === '' || born === holder.born;
}

/**
 * When the process started, in clock ticks since boot, with the boot itself; null where /proc is missing.
 * @param {number} pid
 */
function birth(pid) {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${statFields(pid)[19]}`;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function processState(pid) {
  try {
    return statFields(pid)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * The fields of /proc/<pid>/stat after the name, which may itself contain spaces and brackets.
 * @param {number} pid
 */
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
