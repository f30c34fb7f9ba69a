/** A real SMTP server that keeps the letters it takes, for journeys that follow their links. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const patienceMs = 20_000;

export interface LetterBox {
  /** For MAIL_URL. */
  readonly url: string;
  /** The text of the first letter to `to` whose subject matches, not read before. */
  read(to: string, subject: RegExp): Promise<string>;
  /** The same letter, with its headers. */
  take(to: string, subject: RegExp): Promise<Email>;
  close(): Promise<void>;
}

export async function openLetterBox(): Promise<LetterBox> {
  const letters: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      letters.push(await PostalMime.parse(Buffer.concat(parts)));
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  async function take(to: string, subject: RegExp): Promise<Email> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const at = letters.findIndex(
        (letter) =>
          subject.test(letter.subject ?? '') &&
          letter.to?.some(({ address }) => address === to) === true,
      );
      const [letter] = at === -1 ? [] : letters.splice(at, 1);
      if (letter !== undefined) return letter;
      if (Date.now() > deadline) throw new Error(`No letter to ${to} about ${subject}.`);
      await sleep(100);
    }
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    read: async (to, subject) => (await take(to, subject)).text ?? '',
    take,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The one link of a letter. */
export function linkIn(text: string): string {
  const link = /https?:\/\/\S+token=\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`No link in:\n${text}`);
  return link;
}
