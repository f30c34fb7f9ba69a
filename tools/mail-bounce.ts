/**
 * `npm run mail:bounce`: takes one message that came to the address in MAIL_BOUNCES from its
 * standard input, as mail servers hand it over, and ends with the codes of sysexits.h that they
 * expect. Whatever goes wrong here asks for the message again later, so that none is lost. What it
 * says may go back to whoever wrote; why something went wrong is for the log alone.
 */
import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Taken } from '../apps/api/src/bounces.ts';

const LATER = 75;
/** A report says all that counts before it repeats the letter. */
const MOST_BYTES = 256 * 1024;
/** From the message's end on. The database may be slow, and a mail server waits. */
const PATIENCE_MS = 10_000;
const LOG_LIMIT_BYTES = 1_000_000;

process.exitCode = await take().catch(later);

async function take(): Promise<number> {
  const raw = await readBeginning(process.stdin);
  setTimeout(() => {
    void later(new Error('It took too long.')).then((code) => process.exit(code));
  }, PATIENCE_MS).unref();
  // Brought in late, so that a module that is missing is told like everything else.
  const { loadConfiguration } = await import('./configuration.ts');
  const { findDatabase } = await import('./database.ts');
  const { takeMessage } = await import('../apps/api/src/bounces.ts');
  const { config } = loadConfiguration({ env: process.env });
  if (config.appKey === null) throw new Error('APP_KEY is not set: no letter can be known by it.');
  const databaseUrl = findDatabase(config)?.url;
  if (databaseUrl === undefined) throw new Error('Cambist does not run, and its database with it.');
  const taken = await takeMessage(config, databaseUrl, raw);
  tell(inWords(taken));
  return taken.done === 'later' ? LATER : 0;
}

async function later(error: unknown): Promise<number> {
  tell('Not taken yet. Bring this message again later.');
  try {
    const { cachePath } = await import('./configuration.ts');
    const { makeFolder } = await import('./private-file.ts');
    const logs = join(dirname(dirname(cachePath({ env: process.env }))), 'logs');
    makeFolder(logs);
    const path = join(logs, 'mail-bounce.log');
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES)
      truncateSync(path);
    const why = error instanceof Error ? error.message : String(error);
    appendFileSync(path, `${new Date().toISOString()} ${why}\n`, { mode: 0o600 });
  } catch {
    // There is no log to be had; the message comes again all the same.
  }
  return LATER;
}

/** The rest is read too, and dropped: a server that cannot get rid of a message takes it for refused. */
async function readBeginning(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length < MOST_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}

/** No address is in it: these lines go to the log of a mail server, and may go to whoever wrote. */
function inWords(taken: Taken): string {
  switch (taken.done) {
    case 'mailbox':
      return `Letter ${taken.letter} came back: there is no such mailbox.`;
    case 'letter':
      return `Letter ${taken.letter} came back: its mailbox did not take it.`;
    case 'sender':
      return `Letter ${taken.letter} came back: the server has something against its sender.`;
    case 'left':
      return `The reader of letter ${taken.letter} complained, and gets no newsletter any more.`;
    case 'stopped':
      return `The reader of letter ${taken.letter} complained, and the rate alert is ended.`;
    case 'later':
      return 'The letter is just being sent. Bring this message again later.';
    case 'nothing':
      return {
        known: 'This was known already.',
        delayed: 'A server still tries to deliver the letter.',
        machine: 'A machine wrote this, and nothing is to be done about it.',
        foreign: 'This is about no letter of this desk.',
        person: 'This is no report about a letter. Nobody reads it.',
        unreadable: 'Nothing in this can be read.',
        complaint:
          'A reader complained of a letter that is none of the newsletter or of a rate alert.',
      }[taken.because];
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
