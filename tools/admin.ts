/**
 * `npm run admin -- <email address>`: makes the person an admin, or creates one
 * with a password that is shown once. With `--reset-password` the person gets a
 * new one and stays what they are. `--name` says what to call an account that is
 * made or taken over. Also while Cambist runs.
 */
import { parseArgs } from 'node:util';
import { makeAdminIn, type MadeAdmin } from '../apps/api/src/admin.ts';
import { loadConfiguration } from './configuration.ts';
import { databaseUrls, withDatabase } from './postgres/database.ts';
import { PlainError, runCommand } from './plain-error.ts';

const USAGE = 'npm run admin -- <email address> [--name "Full name" | --reset-password]';
const NO_KEY = 'APP_KEY is not set: without it no email is sent and nobody signs in.';
const NO_DESK = 'There is no desk yet. "npm start" makes it, with its first admin.';

await runCommand(async () => {
  const asked = readWords(process.argv.slice(2));
  const { config } = loadConfiguration({ env: process.env });
  // Nothing is made here: a database with an admin would no longer be filled by a first start.
  if (databaseUrls(config) === null) throw new PlainError(NO_DESK);
  if (config.appKey === null) throw new PlainError(NO_KEY);
  await withDatabase(config, async ({ url }) => {
    const made = await makeAdminIn(config, url, asked);
    for (const line of inWords(made, asked)) process.stdout.write(`${line}\n`);
  });
});

interface Asked {
  readonly address: string;
  readonly reset: boolean;
  readonly name: string | undefined;
}

function readWords(words: string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { 'reset-password': { type: 'boolean', default: false }, name: { type: 'string' } },
      allowPositionals: true,
    });
    const [address, ...more] = positionals;
    const { 'reset-password': reset, name } = values;
    if (address !== undefined && more.length === 0 && !(reset && name !== undefined))
      return { address, reset, name };
  } catch {
    // An option that there is not: the usage says what there is.
  }
  throw new PlainError(`Usage: ${USAGE}`);
}

/** @throws {PlainError} when it was refused. */
function inWords(made: MadeAdmin, { address, name }: Asked): string[] {
  if ('refused' in made) throw new PlainError(refusal(made.refused, address));
  const { email, newPassword, role } = made;
  const done = {
    created: `${email} is new, and an admin with all permissions.`,
    taken_over: `${email} had an account whose address nobody had confirmed: its old password and all that was set up on it are gone. It is an admin with all permissions now.`,
    promoted: `${email} is now an admin with all permissions, and signed out everywhere.`,
    unchanged: `${email} is an admin already; nothing was changed. Add --reset-password for a new password.`,
    reset: `${email} has a new password, is signed out everywhere, and stays ${role === 'admin' ? 'an admin with the same permissions' : 'a customer'}.`,
  }[made.done];
  const called =
    'name' in made
      ? [`The account is called "${made.name}", which its owner can change under /account.`]
      : name === undefined
        ? []
        : ['Its name was left as it is: whose account it is has chosen it.'];
  return newPassword === null
    ? [done, ...called]
    : [done, ...called, '', `  Password  ${newPassword}   shown this once: keep it`, ''];
}

function refusal(reason: Extract<MadeAdmin, { refused: unknown }>['refused'], address: string) {
  switch (reason) {
    case 'no_address':
      return `"${address}" is no email address. Usage: ${USAGE}`;
    case 'no_name':
      return 'A name has 1 to 100 characters, and none that cannot be seen.';
    case 'no_desk':
      return NO_DESK;
    case 'unknown':
      return `Nobody has the address ${address}, so there is no password to reset. Without --reset-password a new admin is made.`;
    case 'disabled':
      return `The account ${address} is disabled, and was left so. Take another address.`;
  }
}
