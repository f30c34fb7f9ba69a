/**
 * `npm run mail:bounce`: takes one message that came to the address in MAIL_BOUNCES from its
 * standard input, as mail servers hand it over, and ends with the codes of sysexits.h that they
 * expect. Whatever goes wrong here asks for the message again later, so that none is lost.
 */
import { takeMessage, type Taken } from '../apps/api/src/bounces.ts';
import { loadConfiguration } from './configuration.ts';
import { findDatabase } from './database.ts';

/** What no report is; a mail server sends it back with the sentence. */
const NO_REPORT = 65;
const LATER = 75;
/** A report says all that counts before it repeats the letter. */
const MOST_BYTES = 1024 * 1024;

process.exitCode = await take().catch((error: unknown) => {
  tell(`Not taken yet: ${error instanceof Error ? error.message : String(error)}`);
  return LATER;
});

async function take(): Promise<number> {
  const raw = await readBeginning(process.stdin);
  const { config } = loadConfiguration({ env: process.env });
  if (config.appKey === null) throw new Error('APP_KEY is not set: no letter can be known by it.');
  const databaseUrl = findDatabase(config);
  if (databaseUrl === null) throw new Error('Cambist does not run, and its database with it.');
  const taken = await takeMessage(config, databaseUrl, raw);
  tell(inWords(taken));
  if (taken.done === 'refused') return NO_REPORT;
  return taken.done === 'later' ? LATER : 0;
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

/** No address is in it: these lines go to the log of a mail server, and back to whoever wrote. */
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
    case 'refused':
      return 'This address is for reports about letters that could not be delivered. Nobody reads it.';
    case 'later':
      return 'The letter is just being sent. Bring this message again later.';
    case 'nothing':
      return {
        known: 'This was known already.',
        delayed: 'A server still tries to deliver the letter.',
        machine: 'A machine wrote this, and nothing is to be done about it.',
        foreign: 'This report is about no letter of this desk.',
        complaint: 'A reader complained of a letter that is none of the newsletter.',
      }[taken.because];
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
