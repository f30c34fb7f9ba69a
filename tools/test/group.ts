/**
 * Runs test files one after the other in this process. Each file is a suite of its own: it is loaded
 * when the one before has ended, so its hooks are for its tests alone. Mocks, globals and environment
 * variables are put back after it; a server, a child process or a timer that it leaves fails it.
 */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { after, mock, suite } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../configuration.ts';

/** As Node names what keeps a process alive; sockets are closed by their pools a moment later. */
const LASTING = new Set(['TCPServerWrap', 'ProcessWrap', 'Timeout']);
const CLOSING_MS = 5000;

/** @param files - Absolute paths. */
export async function runGroup(files: readonly string[]): Promise<void> {
  // node:test gives up what is pending when nothing else keeps the process alive, as between files.
  const alive = setInterval(() => {}, 2 ** 30);
  for (const file of files) {
    await suite(relative(ROOT, file), async () => {
      const restore = keepGlobals();
      const before = lasting();
      await import(file);
      // Hooks run in their order: after those of the file.
      after(restore);
      after(() => requireClosed(before));
    });
  }
  clearInterval(alive);
}

/** @returns What puts the globals and the environment back. */
function keepGlobals(): () => void {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const environment = { ...process.env };
  return () => {
    mock.reset();
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!(name in globals)) Reflect.deleteProperty(globalThis, name);
    }
    for (const [name, descriptor] of Object.entries(globals)) {
      if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
    }
    for (const name of Object.keys(process.env)) {
      if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, environment);
  };
}

function lasting(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => LASTING.has(kind));
}

/** Waits for what is closing already. The desk that journeys share was there before, or stays. */
async function requireClosed(before: readonly string[]): Promise<void> {
  const deadline = performance.now() + CLOSING_MS;
  while (lasting().length > before.length && performance.now() < deadline) await sleep(20);
  assert.deepEqual(lasting(), before, 'The file has left this open.');
}
