/**
 * Passwords as argon2id hashes (OWASP's second recommendation: 19 MiB, two passes). Hashing is the
 * costliest work that any client can cause, so few run at once and the queue behind them is short.
 */
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { openQueue } from '#platform/work-queue.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
// They share libuv's four threads with file access, which must not starve.
const queue = openQueue({
  atOnce: Math.min(3, availableParallelism()),
  waiting: 200,
  refusal: 'Too many passwords wait to be checked.',
});

/** Verified where there is no account, so that an unknown address takes as long as a wrong password. */
const NO_ACCOUNT =
  '$argon2id$v=19$m=19456,t=2,p=1$Y2FtYmlzdC1ub2JvZHktMQ$3vYB1vdfhkGQ2pYEKFv0N1oH7vYIoRHKVnJcxyVY0dU';

export async function hashPassword(password: string): Promise<string> {
  return queue(() => hash(password, PARAMETERS));
}

/** False without a hash, after the same time. */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  const right = await queue(() => verify(hashed ?? NO_ACCOUNT, password));
  return right && hashed !== null;
}
