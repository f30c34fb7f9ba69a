/** A mail server on a free port, which parses the emails. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Cleanup } from '#test/database.ts';
import type { TestApi } from '#test/harness.ts';

export interface Received extends Email {
  readonly raw: string;
  /** The envelope's sender. */
  readonly envelopeSender: string;
  /** The envelope's recipients. */
  readonly recipients: readonly string[];
  /** The only link that has a token. */
  readonly token: string | null;
}

export interface Smtp {
  readonly url: string;
  readonly port: number;
  /** In order of arrival. */
  readonly received: Received[];
  /** Waits for the next email, or the next that matches. */
  next(fits?: (email: Received) => boolean): Promise<Received>;
}

export interface SmtpBehaviour {
  readonly options?: SMTPServerOptions;
  /** Called before the email is accepted; an error is the server's answer. */
  readonly accept?: (email: Received) => Promise<void> | void;
}

const PATIENCE_MS = 8000;

export async function startSmtp(t: Cleanup, behaviour: SmtpBehaviour = {}): Promise<Smtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    // Its built-in certificate is nobody's.
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...behaviour.options,
    onData(stream, session, done) {
      void (async () => {
        try {
          const email = await readEmail(stream);
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const { mailFrom } = session.envelope;
          const envelopeSender = mailFrom === false ? '' : mailFrom.address;
          const read = { ...email, envelopeSender, recipients: to };
          await behaviour.accept?.(read);
          received.push(read);
          done(null, 'Taken, with thanks');
        } catch (error) {
          done(error as Error);
        }
      })();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?timeout=2`,
    port,
    received,
    async next(fits) {
      const from = received.length;
      const found = () => (fits ? received.find(fits) : received[from]);
      await until(() => found() !== undefined);
      const email = found();
      assert.ok(email);
      return email;
    },
  };
}

async function readEmail(
  stream: AsyncIterable<Buffer>,
): Promise<Omit<Received, 'envelopeSender' | 'recipients'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const email = await PostalMime.parse(raw);
  const token = /[?&]token=([\w-]+)/.exec(email.text ?? '')?.[1] ?? null;
  return { ...email, raw: raw.toString(), token };
}

/** Accepts connections and never answers. */
export async function startSilence(t: Cleanup): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}?timeout=1`, connections: () => sockets.size };
}

/** The server's refusal, with its code. */
export function refusal(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

export async function until(
  what: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await what())) {
    assert.ok(Date.now() < end, 'It did not happen in time.');
    await sleep(10);
  }
}

/** Makes every email due for its next attempt. */
export async function passWaits({ db, deps }: TestApi): Promise<void> {
  await db.transaction().execute((tx) => deps.jobs.retryNow(tx, 'emails'));
}
