/** A real SMTP server that keeps the emails it takes, for journeys that follow their links. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const timeoutMs = 60_000;

export interface Mailbox {
  readonly port: number;
  /** The text of the first email to `to` whose subject matches, not read before. */
  read(to: string, subject: RegExp): Promise<string>;
  /** The same email, with its headers. */
  take(to: string, subject: RegExp): Promise<Email>;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const emails: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      emails.push(await PostalMime.parse(Buffer.concat(parts)));
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  async function take(to: string, subject: RegExp): Promise<Email> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const at = emails.findIndex(
        (email) =>
          subject.test(email.subject ?? '') &&
          email.to?.some(({ address }) => address === to) === true,
      );
      const [email] = at === -1 ? [] : emails.splice(at, 1);
      if (email !== undefined) return email;
      if (Date.now() > deadline) throw new Error(`No email to ${to} about ${subject}.`);
      await sleep(100);
    }
  }
  return {
    port: (server.server.address() as AddressInfo).port,
    read: async (to, subject) => (await take(to, subject)).text ?? '',
    take,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The one link of an email. */
export function linkIn(text: string): string {
  const link = /https?:\/\/\S+token=\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`No link in:\n${text}`);
  return link;
}
