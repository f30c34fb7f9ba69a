/** An upload outside a browser: the request is recorded and answered. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { uploadMedia } from '@cambist/contract/media';
import { standIn } from '#lib/test/stand-in.ts';

standIn({ '$app/env/public': "export const API_URL = 'https://api.test'" });
const { upload } = await import('./upload.ts');
const { setPageUser } = await import('./page-user.ts');

let sent: Record<string, string>[] = [];
let answers: { status: number; response: object }[] = [];

class WrittenDown {
  readonly upload = {};
  readonly #headers: Record<string, string> = {};
  status = 0;
  response: object | null = null;
  onload = () => {};
  onloadend = () => {};
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  getResponseHeader(): null {
    return null;
  }
  send(): void {
    sent.push(this.#headers);
    Object.assign(this, answers.shift());
    this.onload();
    this.onloadend();
  }
}
Object.assign(globalThis, {
  XMLHttpRequest: WrittenDown,
  document: { cookie: 'XSRF-TOKEN=token' },
});

const send = () =>
  upload(uploadMedia, {
    params: undefined,
    file: new File(['x'], 'desk.jpg'),
    onprogress: () => undefined,
    signal: new AbortController().signal,
  });
const named = () => sent.map((headers) => headers['X-Signed-In-As']);

afterEach(() => {
  sent = [];
  setPageUser(() => null);
});

describe('an upload', () => {
  it('names the user of its page, and no one on a guest’s page', async () => {
    answers = [
      { status: 201, response: { data: 'kept' } },
      { status: 201, response: { data: 'kept' } },
    ];
    setPageUser(() => 'a');
    assert.deepEqual(await send(), { data: 'kept' });
    setPageUser(() => null);
    await send();
    assert.deepEqual(named(), ['a', undefined]);
  });

  it('throws the refusal, as when another user is signed in', async () => {
    answers = [{ status: 409, response: { code: 'signed_in_as_another', message: 'No.' } }];
    await assert.rejects(send(), { message: 'No.', code: 'signed_in_as_another' });
  });
});
