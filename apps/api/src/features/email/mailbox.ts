/**
 * The local mailbox: without a mail server, on a desk for trying things out,
 * emails become files under DATA_DIR/mailbox, to be read in the browser.
 */
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { MailFrom } from '../../mail-server.ts';
import type { Message } from './smtp.ts';

export interface StoredEmail {
  readonly id: string;
  readonly message_id: string;
  readonly from: MailFrom;
  readonly to: MailFrom;
  readonly subject: string;
  readonly at: string;
  readonly html: string;
  readonly text: string;
}

type Place = Pick<Config, 'dataDir'>;

/** More would make the list slow, and they are not read. */
const MOST = 500;
const SHOWN = 100;
/** An email's id, a UUID of version 7: names in order of time. */
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

/** The same email again replaces its file. */
export async function storeInMailbox(
  config: Place,
  { id, messageId: message_id, from, to, subject, date, html, text }: Message & { from: MailFrom },
): Promise<string> {
  const folder = folderOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = date.toISOString();
  const stored: StoredEmail = { id, message_id, from, to, subject, at, html, text };
  const path = join(folder, `${id}.json`);
  await writeFile(`${path}.part`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${path}.part`, path);
  for (const old of (await namesIn(folder)).slice(MOST)) {
    await unlink(join(folder, old)).catch(() => undefined);
  }
  return 'Stored in the local mailbox, at /dev/mail.';
}

/** The newest first. */
export async function listMailbox(config: Place): Promise<StoredEmail[]> {
  const folder = folderOf(config);
  const names = (await namesIn(folder)).slice(0, SHOWN);
  const found = await Promise.all(names.map((name) => readStored(join(folder, name))));
  return found.filter((stored) => stored !== null);
}

export async function findInMailbox(config: Place, id: string): Promise<StoredEmail | null> {
  const name = `${id}.json`;
  return NAME.test(name) ? readStored(join(folderOf(config), name)) : null;
}

function folderOf({ dataDir }: Place): string {
  return join(dataDir, 'mailbox');
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed();
}

async function readStored(path: string): Promise<StoredEmail | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoredEmail;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
