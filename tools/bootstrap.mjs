/**
 * `npm start` and every other script begin here, on whatever Node is there (20
 * or newer) and with nothing installed. It installs the dependencies when they
 * are not those of the lockfile, then hands over to the pinned Node with
 * `tools/<command>.ts`. Plain JavaScript, and nothing but Node's own modules.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isInstalled, markInstalled, pinnedNode, runningFrom } from './installed.mjs';
import { Locked, takeLock } from './lock.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const NODE = pinnedNode(ROOT);
// Outside node_modules, which npm empties first.
const LOCK = join(ROOT, '.cache', 'install.lock');
// What Node has compiled, for the next start. A folder that cannot be written is no error to Node.
const COMPILED = join(ROOT, '.cache', 'compiled');
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];
const INSTALLED_BYTES = 800_000_000;
// Less than this is full for all that an installation needs.
const FULL_BYTES = 20_000_000;
const FULL_DISK = `The disk that holds ${ROOT} is full. Free some space (about 1 GB) and start again.`;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A failure that is told in a sentence, without a stack. */
class Plain extends Error {}

const command = process.argv[2] ?? 'start';
try {
  process.exitCode = await main(command, process.argv.slice(3));
} catch (error) {
  const { message, stack } = /** @type {Error} */ (error);
  say(`${error instanceof Plain ? message : stack}`);
  process.exitCode = 1;
}

/**
 * @param {string} command
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(command, words) {
  const script = join(ROOT, 'tools', `${command.replaceAll(':', '-')}.ts`);
  if (!/^[a-z0-9:-]+$/.test(command) || !existsSync(script)) {
    throw new Plain(`There is no command "${command}". "npm run" lists those there are.`);
  }
  refuseForeignMachine();
  if (!isInstalled(ROOT)) {
    const code = await installOnce();
    if (code !== 0) return code;
  }
  return handOver(script, words);
}

function refuseForeignMachine() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < 20)
    throw new Plain(
      `Node ${process.versions.node} is too old to begin with. Install Node 20 or newer.`,
    );
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform)) {
    const hint =
      process.platform === 'win32' ? ' On Windows, use the Windows Subsystem for Linux.' : '';
    throw new Plain(
      `Cambist runs on ${PLATFORMS.join(', ')}, but this machine is ${platform}.${hint}`,
    );
  }
  const { header } = /** @type {{ header: Record<string, unknown> }} */ (
    process.report.getReport()
  );
  if (process.platform === 'linux' && header['glibcVersionRuntime'] === undefined)
    throw new Plain(
      'Cambist needs a Linux with glibc, such as Debian; on Alpine its binaries cannot run.',
    );
}

/** Two installations in one folder would delete each other's files, so one waits for the other. */
async function installOnce() {
  let told = false;
  for (;;) {
    try {
      writable(() => mkdirSync(dirname(LOCK), { recursive: true }));
      const lock = writable(() => takeLock(LOCK, 'installing'));
      try {
        if (isInstalled(ROOT)) return 0;
        refuseWhileRunning();
        return await install();
      } finally {
        lock.release();
      }
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      if (!told)
        say(
          `Another command (process ${error.holder.pid}) is installing the dependencies; waiting for it.`,
        );
      told = true;
      await sleep(500);
    }
  }
}

/** An installation takes the modules away first, also from under whoever runs with them. */
function refuseWhileRunning() {
  const running = runningFrom(ROOT);
  if (running === null) return;
  throw new Plain(
    `The dependencies are not those of package-lock.json and must be installed anew, but Cambist runs with them on ${running.note} (process ${running.pid}). Stop it first, then run this command again.`,
  );
}

/** Runs npm. Answers 0, or 130 when it was interrupted; throws a sentence when it failed. */
async function install() {
  if (!existsSync(MODULES)) refuseFullDisk(INSTALLED_BYTES);
  say('Installing the dependencies; only the first time and after an update.');
  const began = Date.now();
  // Named, because NODE_ENV=production and a user's own settings leave them out.
  const words = ['ci', '--include=dev', '--include=optional'];
  const npm = process.env['npm_execpath'];
  const viaNode = npm !== undefined && /npm-cli\.c?js$/.test(npm) && existsSync(npm);
  const [program, ...before] = viaNode ? [process.execPath, npm] : ['npm'];
  const child = spawn(/** @type {string} */ (program), [...before, ...words, '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const progress = showProgress(began);
  const { code, interrupted } = await ending(child).finally(progress.stop);
  if (interrupted !== null) return interrupted;
  if (code !== 0) throw new Plain(installFailure(output));
  refuseBrokenRuntime();
  writable(() => markInstalled(ROOT));
  say(`Dependencies installed in ${seconds(began)} s.`);
  return 0;
}

/** A line that ticks on a terminal, and a plain line now and then elsewhere. */
function showProgress(/** @type {number} */ began) {
  const terminal = process.stderr.isTTY === true;
  const tick = () => {
    const line = `  installing … ${seconds(began)} s`;
    process.stderr.write(terminal ? `\r${line}` : `${line}\n`);
  };
  const timer = setInterval(tick, terminal ? 250 : 10_000);
  const stop = () => {
    clearInterval(timer);
    if (terminal) process.stderr.write('\r\x1b[K');
  };
  return { stop };
}

function installFailure(/** @type {string} */ output) {
  const found = /** @type {[RegExp, string][]} */ ([
    [/ENOSPC|EDQUOT|no space left/i, FULL_DISK],
    [
      /EACCES|EPERM|EROFS/,
      `The dependencies cannot be written to ${MODULES}. Make the folder yours, or copy the checkout to one that is.`,
    ],
    [
      /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/i,
      'The dependencies could not be downloaded: the package registry cannot be reached. Check the network (and the proxy settings of npm) and start again.',
    ],
    [
      /ERESOLVE|EUSAGE|can only install packages when/,
      'package.json and package-lock.json do not fit together. Restore both from the repository.',
    ],
    [
      /EINTEGRITY/,
      'A downloaded package is not the one the lockfile names, so nothing was installed. Run "npm cache clean --force" and start again.',
    ],
  ]).find(([pattern]) => pattern.test(output));
  const details = output
    .trim()
    .split('\n')
    .slice(-6)
    .map((line) => `  ${line}`);
  return [found?.[1] ?? 'npm could not install the dependencies.', 'npm said:', ...details].join(
    '\n',
  );
}

/** npm takes minutes to notice a full disk, and then leaves out what is optional without a word. */
function refuseFullDisk(/** @type {number} */ neededBytes) {
  const { bavail, bsize } = statfsSync(ROOT);
  if (bavail * bsize < neededBytes) throw new Plain(FULL_DISK);
}

/** The pinned Node is an optional dependency: npm goes on silently without it. */
function refuseBrokenRuntime() {
  const probe = spawnSync(NODE, ['--version'], { encoding: 'utf8' });
  if (probe.status === 0) return;
  refuseFullDisk(FULL_BYTES);
  throw new Plain(
    `npm finished, but the Node that it brought does not run (${probe.error?.message ?? probe.stderr.trim()}). Remove node_modules and start again.`,
  );
}

/**
 * Runs the command on the pinned Node. Its end is ours. The channel between us
 * lets it notice when we are killed and cannot pass on a signal any more.
 * @param {string} script
 * @param {string[]} words
 */
async function handOver(script, words) {
  const child = spawn(NODE, [script, ...words], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const { code, interrupted } = await ending(child);
  return code ?? interrupted ?? 1;
}

/**
 * Passes signals on until the child has ended. `code` is null when it was killed
 * by a signal. Ctrl-C reaches the child twice, from the terminal and from here;
 * the commands are made for that.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number | null, interrupted: number | null }>}
 */
async function ending(child) {
  /** @type {number | null} */
  let interrupted = null;
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    interrupted = 128 + constants.signals[signal];
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        const missing = error.code === 'ENOENT';
        reject(
          missing
            ? new Plain(
                `${child.spawnfile} was not found. Install Node 20 or newer together with npm.`,
              )
            : error,
        );
      });
      child.once('close', (code, signal) => {
        resolve({ code: signal === null ? code : 128 + constants.signals[signal], interrupted });
      });
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
  }
}

/**
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
function writable(work) {
  try {
    return work();
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Plain(FULL_DISK);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new Plain(
        `The dependencies must be installed, but ${ROOT} cannot be written. Make the folder yours, or copy the checkout to one that is.`,
      );
    }
    throw error;
  }
}

function seconds(/** @type {number} */ since) {
  return Math.round((Date.now() - since) / 1000);
}

function say(/** @type {string} */ line) {
  process.stderr.write(`${line}\n`);
}
