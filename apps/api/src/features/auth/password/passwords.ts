/**
 * Passwords as argon2id hashes (OWASP's second recommendation: 19 MiB, two
 * passes). Hashing is the costliest thing a stranger can ask for, so only a few
 * run at once and the line behind them is short.
 */
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { unavailable } from '#platform/http/errors.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
// They share libuv's four threads with file access, which must not starve.
const MAX_AT_ONCE = Math.min(3, availableParallelism());
const MAX_WAITING = 200;

/**
 * A hash of nothing anybody knows, with the same parameters: verified when there
 * is no account, so that unknown addresses take as long as wrong passwords.
 */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$Y2FtYmlzdC1ub2JvZHktMQ$3vYB1vdfhkGQ2pYEKFv0N1oH7vYIoRHKVnJcxyVY0dU';

let running = 0;
const waiting: (() => void)[] = [];

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, PARAMETERS));
}

/** Takes the same time without a hash, and is then false. */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  const right = await inTurn(() => verify(hashed ?? NOBODY, password));
  return right && hashed !== null;
}

/** Whether the hash was made with other parameters than today's. */
export function isOutdated(hashed: string): boolean {
  const made = parseOptions(hashed);
  return (
    made.memoryCost !== PARAMETERS.memoryCost ||
    made.timeCost !== PARAMETERS.timeCost ||
    made.parallelism !== PARAMETERS.parallelism ||
    made.outputLen !== PARAMETERS.outputLen
  );
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_AT_ONCE) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) throw unavailable('Too many passwords wait to be checked.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The turn is handed on without becoming free in between.
    if (next) next();
    else running -= 1;
  }
}
