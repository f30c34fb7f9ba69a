/** Forms that the browser sends by itself, against a small API in which Yolanda is signed in. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'node:test';
import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { updateProfile } from '@cambist/contract/accounts';
import { anotherPerson } from '@cambist/contract/endpoint';
import { standInApi } from '#lib/stand-in.ts';
import type { FormFailure } from './form-action.ts';

let written: unknown[] = [];
let keys: unknown[] = [];
/** What the API answers next instead, each once. */
let refusals: number[] = [];

await standInApi((incoming, response) => {
  const named = incoming.headers['x-signed-in-as'];
  keys.push(incoming.headers['idempotency-key']);
  const refusal = refusals.shift();
  if (refusal !== undefined) {
    const body = { message: '', code: 'refused' };
    return void response
      .writeHead(refusal, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }
  const status = named === undefined || named === 'yolanda' ? 200 : 409;
  if (status === 200) written.push(incoming.url);
  const body = status === 200 ? { data: {} } : { message: '', code: anotherPerson };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
const { apiAction, personOf } = await import('./form-action.ts');
const { createRelay } = await import('./relay.ts');
const { personField } = await import('../person.ts');
const { onceField } = await import('../deed-key.ts');

const save = apiAction<typeof updateProfile, { saved: true }>({
  endpoint: updateProfile,
  read: (form) => ({ body: { name: String(form.get('name')) } }),
  done: () => ({ saved: true }),
});

async function send(fields: Record<string, string>) {
  const url = new URL('https://site.test/account?/profile');
  const headers = { cookie: 'XSRF-TOKEN=a; session=s' };
  const body = new URLSearchParams(fields);
  const request = new Request(url, { method: 'POST', headers, body });
  const event = { request, url, getClientAddress: () => '203.0.113.7' } as RequestEvent;
  const { call } = createRelay(event, 'r');
  return save({ ...event, locals: { call, user: { name: 'Yolanda' } } } as RequestEvent);
}

beforeEach(() => {
  [written, keys, refusals] = [[], [], []];
});

describe('a form that is sent without script', () => {
  it('does nothing in the account of another than it was made for, and takes nothing typed over to them', async () => {
    const typed = { part: 'profile', name: 'Xaver', password: 'secret' };
    const answer = await send({ ...typed, [personField]: 'xaver' });
    const { status, data } = answer as ActionFailure<FormFailure>;
    assert.deepEqual([status, data.failure.code], [409, anotherPerson]);
    assert.deepEqual(data.values, { part: 'profile' }, 'Which form shows it, and nothing else.');
    assert.deepEqual(written, []);
  });

  it('tells whose page comes back instead', async () => {
    const answer = await send({ name: 'Xaver', [personField]: 'xaver' });
    const { data } = answer as ActionFailure<FormFailure>;
    assert.equal(data.failure.signed_in_as, 'Yolanda');
  });

  it('is done for whom it was made for, and where it names nobody', async () => {
    assert.deepEqual(await send({ name: 'Yolanda', [personField]: 'yolanda' }), { saved: true });
    assert.deepEqual(await send({ name: 'Yolanda' }), { saved: true });
    assert.equal(written.length, 2);
  });

  it('says whom it was made for by one field', () => {
    const form = new FormData();
    assert.deepEqual(personOf(form), {});
    form.set(personField, 'xaver');
    assert.deepEqual(personOf(form), { person: 'xaver' });
  });
});

describe('a form that is to do one thing once', () => {
  const typed = { name: 'Yolanda', [onceField]: 'a' };

  it('goes under one key however often it is sent, and under another with other words', async () => {
    for (const fields of [typed, typed, { ...typed, name: 'Yola' }, { ...typed, [onceField]: 'b' }])
      await send(fields);
    const [first, second, otherWords, otherPage] = keys;
    assert.match(String(first), /^[\w-]{43}$/);
    assert.equal(second, first);
    assert.equal(new Set([first, otherWords, otherPage]).size, 3);
  });

  it('has no key where it does not ask for one', async () => {
    await send({ name: 'Yolanda' });
    assert.deepEqual(keys, [undefined]);
  });

  it('stays the same after no answer, and is another once it was answered', async () => {
    refusals = [503, 429, 422];
    const values = [];
    for (let time = 1; time <= 3; time += 1) {
      const { data } = (await send(typed)) as ActionFailure<FormFailure>;
      values.push(data.values[onceField]);
    }
    assert.deepEqual(values, ['a', 'a', undefined]);
  });
});

/** They write to nobody's account, end whoever's session it is, or have a token that says whose they are. */
const withoutPerson = [
  /^lib\/ui\/ThemeSwitch/,
  /^lib\/(account\/SignOutAndGoOn|chrome\/)|\/signout\//,
  /^lib\/account\/AuthPage/,
  /^routes\/\((email-link|site)\)\/(?!rates)/,
  // These two are sent by script only, or write nothing.
  /\[slug\]\/(SettingsForm|PreviewDialog)/,
];

describe('each form that writes to an account', () => {
  const root = new URL('../../', import.meta.url);
  const forms = globSync('{lib,routes}/**/*.svelte', { cwd: root }).flatMap((file) =>
    withoutPerson.some((each) => each.test(file))
      ? []
      : [...readFileSync(new URL(file, root), 'utf8').matchAll(/<form\b[\s\S]*?<\/form>/g)]
          .filter(([form]) => /method="POST"/i.test(form))
          .map(([form]) => ({ file, form })),
  );

  it('names whom its page was made for', () => {
    assert.ok(forms.length >= 8, `${forms.length} forms`);
    for (const { file, form } of forms) assert.match(form, /<MadeFor\b/, file);
  });
});
