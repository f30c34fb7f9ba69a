/**
 * One of PostgreSQL's programs as a child, under the account that may run it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFile } from 'node:fs';
import { join } from 'node:path';
import { PlainError, systemSentence } from './plain-error.ts';
import { launchAs, type Account } from './postgres-account.ts';

export interface Place {
  cluster: string;
  socketDirectory: string;
  native: string;
  logFile: string;
}

export interface Program {
  child: ChildProcess;
  /** The last lines it wrote, when it has ended. */
  ended: Promise<string[]>;
}

/** Detached, so that Ctrl-C reaches only us and the server is stopped after its clients. */
export function run(place: Place, account: Account, name: string, words: string[]): Program {
  const { prefix, uid, gid } = launchAs(account);
  const [program = '', ...rest] = [...prefix, join(place.native, 'bin', name), ...words];
  const child = spawn(program, rest, {
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  });
  let tail = '';
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-8000);
    // Losing a log line must not stop the server; a full disk shows elsewhere.
    if (name === 'postgres') appendFile(place.logFile, chunk, { mode: 0o600 }, () => {});
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<string[]>((resolve) => {
    child.once('error', (error) => resolve([error.message]));
    child.once('close', () => resolve(tail.split('\n').filter((line) => line.trim() !== '')));
  });
  return { child, ended };
}

/** The last lines of a program that failed, as a sentence where the cause is known. */
export function explain(lines: readonly string[], dataDir: string): PlainError {
  const text = lines.join('\n');
  const code = /No space left on device|Disk quota exceeded/.test(text)
    ? 'ENOSPC'
    : /Read-only file system/.test(text)
      ? 'EROFS'
      : /Permission denied/.test(text)
        ? 'EACCES'
        : '';
  const sentence = systemSentence(Object.assign(new Error(text), { code }), dataDir);
  const last = lines.slice(-8).join('\n  ');
  return new PlainError(sentence ?? `The database did not start. Its last lines were:\n  ${last}`);
}
