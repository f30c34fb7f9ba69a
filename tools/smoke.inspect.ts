/**
 * `npm run inspect -- smoke`: what a new user does, on a copy that has never been installed: `npm start`, a
 * second one beside it, Ctrl-C, a kill -9 of everything and a start after it. Where we are root,
 * root does it in a folder that only root may enter, and `nobody` does it in a folder of his.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './configuration.ts';
import { interruption } from './interruption.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { freePort } from './ports.ts';
import { say, step } from './progress.ts';

const READY = 'Cambist is ready.';
const READY_TIMEOUT_MS = 15 * 60_000;

interface Person {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

interface Npm {
  readonly pid: number;
  /** Everything written so far. */
  output(): string;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

await runCommand(async () => {
  const signal = interruption();
  // Each to its end, so that nothing of the other one is left behind.
  const tried = await Promise.allSettled(people().map(tryAs));
  if (signal.aborted) return 130;
  for (const each of tried) if (each.status === 'rejected') throw each.reason;
  say();
  say('The smoke test passed.');
});

/** Root and an ordinary user where we are root; else only who we are. */
function people(): Person[] {
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (me.uid !== 0) return [{ name: 'this user', ...me }];
  const id = (option: string) =>
    Number.parseInt(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }), 10);
  return [
    { name: 'root', ...me },
    { name: 'nobody', uid: id('-u'), gid: id('-g') },
  ];
}

async function tryAs(person: Person): Promise<void> {
  // Made with mode 0700, so that only its owner may enter.
  const home = mkdtempSync(join(tmpdir(), `cambist-smoke-${person.uid}-`));
  const checkout = join(home, 'checkout');
  copySources(checkout);
  execFileSync('chown', ['-R', `${person.uid}:${person.gid}`, home]);
  const env = {
    HOME: home,
    API_LISTEN: `127.0.0.1:${await freePort()}`,
    WEB_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const npm = () => startNpm(checkout, env, person);
  const named = (label: string) => `${person.name}: ${label}`;
  try {
    const first = await step(named('npm start on a fresh copy'), () => ready(npm()));
    await answers(env);
    await step(named('a second start on the same data'), () => refusesSecond(npm()));
    await step(named('Ctrl-C'), () => stops(first, checkout));
    await step(named('npm start again'), () => ready(npm()));
    killAll(checkout);
    const after = await step(named('npm start after a kill -9 of everything'), () => ready(npm()));
    await answers(env);
    await step(named('a kill -9 of the launcher alone'), () => endsWithLauncher(after, checkout));
  } finally {
    killAll(home);
    await sleep(500);
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** What git knows, as it lies here. */
function copySources(checkout: string): void {
  const options = { cwd: ROOT, maxBuffer: 10_000_000 };
  const files = execFileSync('git', ['ls-files', '-z'], options);
  execFileSync('mkdir', [checkout]);
  const words = ['--create', '--null', '--files-from=-', '--ignore-failed-read'];
  const archive = execFileSync('tar', words, { ...options, input: files, maxBuffer: 500_000_000 });
  execFileSync('tar', ['--extract'], { cwd: checkout, input: archive });
}

/** Runs `npm start` as this person with a small environment and the system's own Node. */
function startNpm(cwd: string, env: NodeJS.ProcessEnv, { uid, gid }: Person): Npm {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const child = spawn('npm', ['start'], {
    cwd,
    uid,
    gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm run puts the pinned Node first; a new user's shell does not have it.
    env: { PATH: path.filter((each) => !each.includes('node_modules')).join(delimiter), ...env },
  });
  let output = '';
  const read = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return { pid: child.pid ?? 0, output: () => output, ended };
}

async function ready(npm: Npm): Promise<Npm> {
  const ended = npm.ended.then(() => true);
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    if (npm.output().includes(READY)) return npm;
    if (await Promise.race([ended, sleep(50, false)])) break;
  }
  throw new PlainError(`It did not become ready:\n${npm.output()}`);
}

async function answers({ API_LISTEN, WEB_LISTEN }: { API_LISTEN: string; WEB_LISTEN: string }) {
  for (const url of [`http://${API_LISTEN}/health/ready`, `http://${WEB_LISTEN}/`]) {
    const { status } = await fetch(url);
    if (status !== 200) throw new PlainError(`${url} answers ${status} instead of 200.`);
  }
}

async function refusesSecond(npm: Npm): Promise<void> {
  const code = await npm.ended;
  if (code === 1 && npm.output().includes('Cambist is already running with the data in')) return;
  throw new PlainError(`The second start ended with ${code} and said:\n${npm.output()}`);
}

/** As a terminal does it: the signal goes to the whole group. */
async function stops(npm: Npm, folder: string): Promise<void> {
  process.kill(-npm.pid, 'SIGINT');
  const code = await npm.ended;
  const left = processesIn(folder);
  if (code === 0 && left.length === 0) return;
  throw new PlainError(`It ended with ${code} and left ${left.length} processes:\n${npm.output()}`);
}

async function endsWithLauncher(npm: Npm, folder: string): Promise<void> {
  process.kill(-npm.pid, 'SIGKILL');
  const end = Date.now() + 30_000;
  while (processesIn(folder).length > 0 && Date.now() < end) await sleep(100);
  const left = processesIn(folder).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  if (left.length > 0)
    throw new PlainError(`Without the launcher there are still:\n${left.join('\n')}`);
}

function killAll(folder: string): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** The ids of all living processes that work in this folder or were started from it. */
function processesIn(folder: string): number[] {
  const inside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  const belongs = (pid: number) => {
    try {
      if (inside(readlinkSync(`/proc/${pid}/cwd`))) return true;
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').some(inside);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .map((name) => Number.parseInt(name, 10))
    .filter((pid) => pid > 0 && pid !== process.pid && belongs(pid));
}
