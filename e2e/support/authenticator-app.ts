/** An authenticator app as in RFC 6238. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const stepMs = 30_000;
/** From a code being made until the service has it, on a busy machine. */
const underwayMs = 8000;

/** The code of RFC 6238 for this step and the secret as an otpauth address writes it. */
function codeOf(secret: string, step: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac[19] ?? 0) & 15;
  const number = (mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/**
 * An app's codes, each another one: the service takes the steps beside the
 * present one too, so three can be had without waiting for the clock. The one
 * before is left out when it would be too old on arrival.
 */
export class App {
  readonly #secret: string;
  #step = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async code(): Promise<string> {
    const stepAt = (at: number) => Math.floor(at / stepMs);
    this.#step = Math.max(this.#step + 1, stepAt(Date.now() + underwayMs) - 1);
    while (this.#step > stepAt(Date.now()) + 1) await sleep(500);
    return codeOf(this.#secret, this.#step);
  }
}

/** On the account page. */
export async function turnOnApp(page: Page): Promise<App> {
  const begun = page.waitForResponse(/\/two-factor\/totp$/);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const { data } = await (await begun).json();
  const app = new App(new URL(data.uri).searchParams.get('secret') ?? '');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/code the app shows/).fill(await app.code());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  return app;
}
