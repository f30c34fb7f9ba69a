/** An upload outside of any browser: the request that it makes is written down, and answered. */
import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { uploadMedia } from '@cambist/contract/media';
import { standIn } from './stand-in.ts';

standIn({ '$app/env/public': "export const API_URL = 'https://api.test'" });
const { upload } = await import('./upload.ts');
const { madeFor } = await import('./person.ts');

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

const over = { status: 401, response: { code: 'unauthenticated', message: 'No.' } };
const nothing = () => undefined;
const nobodys = { person: () => null, displaced: nothing, met: nothing, present: nothing };
const send = () => upload(uploadMedia, { params: undefined, file: new File(['x'], 'desk.jpg') });
const named = () => sent.map((headers) => headers['X-Signed-In-As']);

afterEach(() => {
  sent = [];
  madeFor(nobodys);
  mock.restoreAll();
});

describe('an upload', () => {
  it('names the person that its page was made for, and nobody in a guest’s page', async () => {
    answers = [
      { status: 201, response: { data: 'kept' } },
      { status: 201, response: { data: 'kept' } },
    ];
    madeFor({ ...nobodys, person: () => 'a' });
    assert.deepEqual(await send(), { data: 'kept' });
    madeFor(nobodys);
    await send();
    assert.deepEqual(named(), ['a', undefined]);
  });

  it('tells the page that its person is here, once it is done', async () => {
    let here = 0;
    answers = [
      { status: 422, response: { code: 'invalid', message: 'No.' } },
      { status: 201, response: { data: 'kept' } },
    ];
    madeFor({ ...nobodys, person: () => 'a', present: () => (here += 1) });
    await assert.rejects(send(), { message: 'No.' });
    assert.equal(here, 0);
    await send();
    assert.equal(here, 1);
  });

  it('tells the page where somebody else is signed in', async () => {
    let met = 0;
    answers = [{ status: 409, response: { code: 'signed_in_as_another', message: 'No.' } }];
    madeFor({ ...nobodys, person: () => 'a', displaced: () => (met += 1) });
    await assert.rejects(send(), { message: 'No.' });
    assert.deepEqual([met, named()], [1, ['a']]);
  });

  it('goes once more, for the same person, where another tab has begun a session meanwhile', async () => {
    const looks: string[] = [];
    mock.method(globalThis, 'fetch', (url: string) => {
      looks.push(url);
      madeFor({ ...nobodys, person: () => 'b' });
      return Promise.resolve(Response.json({ id: 'a' }));
    });
    for (const last of [201, 401]) {
      sent = [];
      answers = [over, { ...over, status: last }];
      madeFor({ ...nobodys, person: () => 'a' });
      if (last === 201) await send();
      else await assert.rejects(send(), { status: 401 });
      assert.deepEqual(named(), ['a', 'a']);
    }
    assert.deepEqual(looks, ['https://api.test/api/user', 'https://api.test/api/user']);
  });

  it('goes no further where nobody is signed in any more, or its page is a guest’s', async () => {
    const asked = mock.method(globalThis, 'fetch', () =>
      Promise.resolve(Response.json({ code: 'unauthenticated' }, { status: 401 })),
    );
    for (const [person, looks] of [
      [null, 0],
      ['a', 1],
    ] as const) {
      sent = [];
      answers = [over];
      madeFor({ ...nobodys, person: () => person });
      await assert.rejects(send(), { status: 401 });
      assert.deepEqual([named(), asked.mock.callCount()], [[person ?? undefined], looks]);
    }
  });
});
