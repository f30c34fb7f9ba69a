/**
 * Every script of package.json begins here, on Node 20 or newer and with nothing installed.
 * It runs `npm ci` when package-lock.json is newer than the installation, then runs
 * `tools/<command>.ts` on the pinned Node. Plain JavaScript with Node's own modules only.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync, statSync, utimesSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE = join(ROOT, 'node_modules/.bin/node');
const LOCKFILE = join(ROOT, 'package-lock.json');
// npm writes it last, so an installation that was broken off has none.
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json');
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

const [command = 'start', ...words] = process.argv.slice(2);
const script = join(ROOT, 'tools', `${command.replaceAll(':', '-')}.ts`);
// The compiled modules of earlier runs; a folder that cannot be written is no error to Node.
const compiled = (process.env['NODE_COMPILE_CACHE'] ||= join(ROOT, '.cache/compiled'));

process.exitCode = await main();

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!existsSync(script)) {
    return fail(`There is no command "${command}". "npm run" lists those there are.`);
  }
  const refusal = foreignMachine();
  if (refusal !== null) return fail(refusal);
  const isNew = !isInstalled();
  const code = isNew ? await install() : 0;
  if (code !== 0) return code;
  // npm puts the pinned Node first on its path, so mostly this runs on it already.
  const isPinned = !isNew && realpathSync(process.execPath) === realpathSync(NODE);
  // The channel lets the command notice when this process was killed and passes on nothing any more.
  if (!isPinned) return run(NODE, [script, ...words], ['ipc']);
  process.argv.splice(1, 2, script);
  module.enableCompileCache?.(compiled);
  await import(pathToFileURL(script).href);
  return Number(process.exitCode ?? 0);
}

/** Why this machine cannot run Cambist; null when it can. */
function foreignMachine() {
  const platform = `${process.platform}-${process.arch}`;
  if (Number.parseInt(process.versions.node, 10) < 20)
    return `Node ${process.versions.node} is too old. Install Node 20 or newer.`;
  if (!PLATFORMS.includes(platform))
    return `Cambist runs on ${PLATFORMS.join(', ')}, but this machine is ${platform}. On Windows, use the Windows Subsystem for Linux.`;
  if (existsSync('/etc/alpine-release'))
    return 'Cambist needs a Linux with glibc, such as Debian; on Alpine its binaries cannot run.';
  return null;
}

function isInstalled() {
  const installed = statSync(INSTALLED, { throwIfNoEntry: false });
  return existsSync(NODE) && (installed?.mtimeMs ?? 0) >= statSync(LOCKFILE).mtimeMs;
}

async function install() {
  say('Installing the dependencies; only the first time and after an update.');
  const npm = process.env['npm_execpath'] ?? '';
  const program = /npm-cli\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  // Named, because NODE_ENV=production and a user's own settings leave them out.
  const flags = ['--include=dev', '--include=optional', '--loglevel=error'];
  const code = await run(program[0] ?? '', [...program.slice(1), 'ci', ...flags]);
  if (code !== 0)
    return fail('npm could not install the dependencies; its reason stands above.', code);
  if (!existsSync(NODE) || !existsSync(INSTALLED)) {
    return fail(
      'npm left out the Node that Cambist runs on, as it does on a full disk. Free some space (about 1 GB), remove node_modules and start again.',
    );
  }
  // Also where the lockfile's own time lies in the future.
  const time = new Date(Math.max(Date.now(), statSync(LOCKFILE).mtimeMs));
  utimesSync(INSTALLED, time, time);
  return 0;
}

/**
 * Runs a program to its end and answers its exit code. Signals are passed on: Ctrl-C reaches it
 * twice, from the terminal and from here, and the commands count it once.
 * @param {string} program
 * @param {string[]} args
 * @param {'ipc'[]} channel
 * @returns {Promise<number>}
 */
function run(program, args, channel = []) {
  const stdio = /** @type {const} */ (['inherit', 'inherit', 'inherit', ...channel]);
  const child = spawn(program, args, { cwd: ROOT, stdio: [...stdio] });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(fail(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code, signal) =>
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]),
    );
  });
}

function fail(/** @type {string} */ sentence, code = 1) {
  say(sentence);
  return code;
}

function say(/** @type {string} */ line) {
  process.stderr.write(`${line}\n`);
}
