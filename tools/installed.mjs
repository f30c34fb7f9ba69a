/**
 * Whether the dependencies are installed, and who runs with them. Plain
 * JavaScript, because the bootstrap asks before anything is installed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, takeLock } from './lock.mjs';

/**
 * @typedef {{
 *   version?: string, integrity?: string, link?: boolean, resolved?: string,
 *   optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string | string[],
 * }} Package as npm's lockfiles describe it.
 */

const LOCKFILE = 'package-lock.json';
/** npm's own record of what it has put into the folder, in the form of its lockfile. */
const RECORD = 'node_modules/.package-lock.json';
const MARKER = 'node_modules/.cambist-lockfile';

/**
 * Whether what is installed is for this lockfile and this kind of machine, by
 * our own installation or by an ordinary `npm ci` or `npm install`.
 * @param {string} root the checkout
 */
export function isInstalled(root) {
  try {
    return existsSync(pinnedNode(root)) && (isMarked(root) || isAsLocked(root));
  } catch {
    return false;
  }
}

/** @param {string} root */
export function pinnedNode(root) {
  return join(root, 'node_modules', '.bin', 'node');
}

/**
 * Notes that the installation was made for this lockfile, whatever a user's own
 * settings of npm have left out of it.
 * @param {string} root
 * @throws a system error where it cannot be written.
 */
export function markInstalled(root) {
  writeFileSync(join(root, MARKER), wantedMarker(root));
}

/** @param {string} root */
function isMarked(root) {
  return textOf(join(root, MARKER)) === wantedMarker(root);
}

/**
 * npm's record is part of it, since an `npm install` of later leaves the marker where it is.
 * @param {string} root
 */
function wantedMarker(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, LOCKFILE)));
  hash.update(textOf(join(root, RECORD)) ?? '');
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`;
}

/**
 * Everything is there that may not be missing, nothing else, and nothing of
 * another machine. npm leaves out what is optional and for other machines, and
 * where the disk is full also what is for this one, without a word.
 * @param {string} root
 */
function isAsLocked(root) {
  const locked = packagesOf(join(root, LOCKFILE));
  const there = packagesOf(join(root, RECORD));
  return (
    [...locked].every(([path, wanted]) => mayBeMissing(wanted) || there.has(path)) &&
    [...there].every(([path, found]) => isSame(found, locked.get(path)) && isForHere(found))
  );
}

/**
 * All but the checkout itself, by their paths.
 * @param {string} path
 * @returns {Map<string, Package>}
 */
function packagesOf(path) {
  const { packages } = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(packages).filter(([name]) => name !== ''));
}

/**
 * By what the package holds: what else npm writes of it differs between its versions.
 * @param {Package} found
 * @param {Package | undefined} wanted
 */
function isSame(found, wanted) {
  return (
    found.version === wanted?.version &&
    found.integrity === wanted?.integrity &&
    found.link === wanted?.link &&
    (found.link !== true || found.resolved === wanted?.resolved)
  );
}

/**
 * What names its machines holds binaries: those for this one are needed.
 * @param {Package} wanted
 */
function mayBeMissing(wanted) {
  return wanted.optional === true && (wanted.os === undefined || !isForHere(wanted));
}

/**
 * Cambist runs with glibc alone, where there is more than one.
 * @param {Package} found
 */
function isForHere({ os, cpu, libc }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, 'glibc');
}

/**
 * As npm reads it: names of what is meant, or `!` before those of what is not.
 * @param {string | string[] | undefined} names
 * @param {string} name
 */
function allows(names, name) {
  const all = names === undefined ? [] : [names].flat();
  const isNegative = all.every((each) => each.startsWith('!'));
  return isNegative ? !all.includes(`!${name}`) : all.includes(name);
}

/**
 * Notes for as long as this process lives that it runs with these dependencies.
 * @param {string} root
 * @param {string} address where it answers
 */
export function noteRunning(root, address) {
  const folder = runningFolder(root);
  try {
    mkdirSync(folder, { recursive: true });
    for (const path of locksIn(folder)) if (holderOf(path) === null) rmSync(path, { force: true });
    takeLock(join(folder, `${process.pid}.lock`), address);
  } catch {
    // Where nothing can be written, nothing can be installed either, and a start needs no note.
  }
}

/**
 * A Cambist that runs with these dependencies, or null.
 * @param {string} root
 */
export function runningFrom(root) {
  try {
    const holders = locksIn(runningFolder(root)).map((path) => holderOf(path));
    return holders.find((holder) => holder !== null) ?? null;
  } catch {
    return null;
  }
}

/** @param {string} root */
function runningFolder(root) {
  return join(root, '.cache', 'running');
}

/** @param {string} folder */
function locksIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.lock'));
  return names.map((name) => join(folder, name));
}

/** @param {string} path */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
