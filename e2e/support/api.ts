/** The API, called as the frontend of a browser does: the cookies are the browser's. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import type { Client } from '../../apps/api/test/client.ts';
import { eventually } from '../../apps/api/test/eventually.ts';
import type { Desk } from './desk.ts';

type Json = Record<string, ReturnType<typeof JSON.parse>>;

type Reply = { readonly status: number; readonly body: Json; readonly text: string };
type Multipart = Record<string, { name: string; mimeType: string; buffer: Buffer }>;

async function ask(
  context: BrowserContext,
  { api, web }: Desk,
  method: string,
  path: string,
  body: { data?: object; multipart?: Multipart } = {},
): Promise<Reply> {
  const token = async () =>
    (await context.cookies(api)).find(({ name }) => name === 'XSRF-TOKEN')?.value;
  if ((await token()) === undefined) await context.request.get(`${api}/stateful/csrf-cookie`);
  const answer = await context.request.fetch(api + path, {
    method,
    headers: {
      accept: 'application/json',
      origin: web,
      'x-xsrf-token': decodeURIComponent((await token()) ?? ''),
      'idempotency-key': randomUUID(),
    },
    ...body,
  });
  const text = await answer.text();
  return {
    status: answer.status(),
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    text,
  };
}

/** Returns `data` of the answer, or the whole answer when it has none. */
export async function callApi<T>(
  context: BrowserContext,
  desk: Desk,
  method: string,
  path: string,
  data?: object,
): Promise<T> {
  const { status, body, text } = await ask(context, desk, method, path, data && { data });
  assert.ok(status < 400, `${method} ${path}: ${status} ${text}`);
  return body?.['data'] ?? body;
}

/** The client that the API's tests use, as the person of this browser. */
export function clientOf(context: BrowserContext, desk: Desk): Client {
  const send = (method: string) => (path: string, data?: object) =>
    ask(context, desk, method, path, data && { data });
  const client = {
    get: (path: string) => ask(context, desk, 'GET', path),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
    upload: (
      path: string,
      field: string,
      { bytes, name, type }: { bytes: Buffer; name: string; type: string },
    ) =>
      ask(context, desk, 'POST', path, {
        multipart: { [field]: { name, mimeType: type, buffer: bytes } },
      }),
  };
  return client as unknown as Client;
}

/** The user who is signed in; null without one. */
export async function currentUser(
  context: BrowserContext,
  { api, web }: Desk,
): Promise<{ id: string; email: string } | null> {
  const answer = await context.request.get(`${api}/api/user`, { headers: { origin: web } });
  return answer.status() === 200 ? answer.json() : null;
}

export async function changeSettings(
  admin: BrowserContext,
  desk: Desk,
  slug: string,
  change: (value: Json) => Json,
): Promise<void> {
  const path = `/api/admin/settings/${slug}`;
  const { version, value } = await callApi<{ version: number; value: Json }>(
    admin,
    desk,
    'GET',
    path,
  );
  await callApi(admin, desk, 'PUT', path, { version, value: change(value) });
}

/** A public page, asked for as a browser without script does. */
export function fetchPage(
  { web }: Desk,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(web + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
}

export async function textOf(desk: Desk, path: string): Promise<string> {
  return (await fetchPage(desk, path)).text();
}

/** Waits for what has been saved to be public. */
export async function eventuallyShows(
  desk: Desk,
  path: string,
  isShown: (html: string) => boolean,
): Promise<void> {
  await eventually(`The change is on ${path}`, async () => isShown(await textOf(desk, path)));
}
