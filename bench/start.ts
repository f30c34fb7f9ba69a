/**
 * `npm start` on data that exists: how long until the API and the home page answer, and the memory of the idle
 * desk by process, as proportional set size, which counts shared pages once. The medians of five starts. Ends
 * with 1 above a limit.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchDesk } from '../e2e/support/desk.ts';
import { median } from './service.ts';

const STARTS = 5;
const IDLE_MS = 10_000;
/** The owner's targets for a desk on a machine of two cores. */
const READY_LIMIT_MS = 2500;
const MEMORY_LIMIT_MB = 350;

const PARTS = ['launcher', 'API', 'frontend', 'PostgreSQL'] as const;
type Part = (typeof PARTS)[number];
type Memory = Readonly<Record<Part, number>>;

/** This process and all that it has started. */
function processTree(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const parent = /\) \S (\d+) /.exec(readProc(Number(name), 'stat'))?.[1];
      return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
    });
  const descendants = (pid: number): number[] => [
    pid,
    ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => descendants(child)),
  ];
  return descendants(root);
}

/** Empty for a process that has ended in the meantime. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function partOf(pid: number): Part {
  const command = readProc(pid, 'cmdline');
  if (command.includes('postgres')) return 'PostgreSQL';
  if (command.includes('/apps/api/')) return 'API';
  return command.includes('/apps/web/') ? 'frontend' : 'launcher';
}

/** Megabytes of each part. */
function memoryOf(root: number): Memory {
  const memory = { launcher: 0, API: 0, frontend: 0, PostgreSQL: 0 };
  for (const pid of processTree(root)) {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? '0';
    memory[partOf(pid)] += Number(kilobytes) / 1024;
  }
  return memory;
}

const sum = (memory: Memory) => PARTS.reduce((total, part) => total + memory[part], 0);

async function measure(dataDir: string): Promise<{ readyMs: number; memory: Memory }> {
  const began = performance.now();
  const desk = await launchDesk(dataDir);
  const readyMs = performance.now() - began;
  await sleep(IDLE_MS);
  const memory = memoryOf(desk.pid);
  await desk.stop();
  return { readyMs, memory };
}

/** Prints the median and the spread; answers whether it is within the limit. */
function report(name: string, unit: string, values: readonly number[], limit = Infinity): boolean {
  const isWithin = median(values) <= limit;
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(0),
  );
  const verdict = limit === Infinity ? '' : `  ${isWithin ? 'within' : 'ABOVE'} ${limit} ${unit}`;
  console.log(`${name.padEnd(14)}${middle?.padStart(6)} ${unit} (${least} to ${most})${verdict}`);
  return isWithin;
}

const dataDir = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
try {
  const first = await launchDesk(dataDir);
  await first.stop();
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await measure(dataDir));
  const memories = starts.map(({ memory }) => memory);
  for (const part of PARTS)
    report(
      part,
      'MB',
      memories.map((memory) => memory[part]),
    );
  const results = [
    report('all processes', 'MB', memories.map(sum), MEMORY_LIMIT_MB),
    report(
      'ready',
      'ms',
      starts.map(({ readyMs }) => readyMs),
      READY_LIMIT_MS,
    ),
  ];
  if (results.includes(false)) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
