/**
 * `npm run inspect -- smoke`: what a stranger does, on a copy that has never been installed:
 * `npm start`, a second one beside it, Ctrl-C, a kill -9 of everything and a
 * start after it. An ordinary user does all of it; where we are root, root does it
 * too, in a folder that only root may enter, with the frontend that is built here,
 * if it is: one build at a time is enough for the machine.
 */
import {
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './configuration.ts';
import { interruption } from './interruption.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { freePort } from './ports.ts';
import { say, step } from './progress.ts';
import { isWebBuilt } from './web-build.ts';
import { killAll, processesIn, startNpm, type Npm, type Person } from './smoke-process.ts';

const LEFT_OUT = new Set([
  'node_modules',
  'build',
  '.svelte-kit',
  '.git',
  '.cache',
  'storage',
  '.env',
  'paraglide',
]);
const READY = 'Cambist is ready.';
const PATIENCE_MS = 6 * 60_000;

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
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid = '65534', gid = '65534'] = (line ?? '').split(':');
  const nobody = { uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) };
  return [
    { name: 'root', ...me },
    { name: 'nobody', ...nobody },
  ];
}

async function tryAs(person: Person): Promise<void> {
  // Made with mode 0700, so that nobody but its owner may enter.
  const home = mkdtempSync(join(tmpdir(), `cambist-smoke-${person.uid}-`));
  const checkout = join(home, 'checkout');
  mkdirSync(checkout);
  cpSync(ROOT, checkout, {
    recursive: true,
    filter: (path) => path === ROOT || !LEFT_OUT.has(basename(path)),
  });
  if (person.name === 'root') giveBuild(checkout);
  giveAll(home, person);
  const env = {
    HOME: home,
    API_LISTEN: `127.0.0.1:${await freePort()}`,
    WEB_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const npm = () => startNpm(['start'], { cwd: checkout, env, person });
  const named = (label: string) => `${person.name}: ${label}`;
  try {
    const first = await step(named('npm start on a fresh copy'), () => ready(npm()));
    await answers(env);
    await step(named('a second start on the same data'), () => refusesSecond(npm()));
    await step(named('Ctrl-C'), () => stops(first, checkout));
    await step(named('npm start again'), () => ready(npm()));
    killAll(processesIn(checkout));
    const after = await step(named('npm start after a kill -9 of everything'), () => ready(npm()));
    await answers(env);
    await stops(after, checkout);
  } finally {
    killAll(processesIn(home));
    await sleep(500);
    rmSync(home, { recursive: true, force: true });
  }
}

/** The frontend's folder of this checkout, when it is of the sources as they are. */
function giveBuild(checkout: string): void {
  if (!isWebBuilt()) return;
  const from = join(ROOT, 'apps/web/build');
  const to = join(checkout, 'apps/web/build');
  const name = readlinkSync(join(from, 'current'));
  cpSync(join(from, name), join(to, name), { recursive: true });
  symlinkSync(name, join(to, 'current'), 'dir');
}

function giveAll(folder: string, { uid, gid }: Person): void {
  if (uid === process.getuid?.()) return;
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), uid, gid);
  }
}

async function ready(npm: Npm): Promise<Npm> {
  if (await npm.said(READY, PATIENCE_MS)) return npm;
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
  if (code === 1 && npm.output().includes('Cambist is already running on http')) return;
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
