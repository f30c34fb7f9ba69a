/**
 * Real clients against the listening server: axios from the frontend's origin, and curl with a cookie jar through the
 * specification's five steps (section 5).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import axios, { type AxiosInstance } from 'axios';
import { CookieJar } from 'tough-cookie';
import { auth } from '#features/auth/routes.ts';
import { PASSWORD } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const FRONTEND = 'http://localhost:4000';
const api = await startTestApi({ after }, { features: [auth, probe] });
const address = await api.url();
const run = promisify(execFile);

/** axios with what a browser adds by itself: Origin, Referer, the cookie jar and the readable token. */
function browserAxios(): { http: AxiosInstance; jar: CookieJar } {
  const jar = new CookieJar();
  const http = axios.create({
    baseURL: address,
    withCredentials: true,
    withXSRFToken: true,
    validateStatus: () => true,
    headers: { Origin: FRONTEND, Referer: `${FRONTEND}/signin` },
  });
  http.interceptors.request.use(async (request) => {
    request.headers.set('Cookie', await jar.getCookieString(address));
    const cookies = await jar.getCookies(address);
    const token = cookies.find(({ key, httpOnly }) => key === 'XSRF-TOKEN' && !httpOnly);
    // The names are axios's own defaults; in a browser it reads document.cookie by them.
    assert.equal(request.xsrfCookieName, 'XSRF-TOKEN');
    if (token) request.headers.set(request.xsrfHeaderName ?? '', decodeURIComponent(token.value));
    return request;
  });
  http.interceptors.response.use(async (response) => {
    for (const line of response.headers['set-cookie'] ?? []) await jar.setCookie(line, address);
    return response;
  });
  return { http, jar };
}

describe('axios with credentials and token', () => {
  it('signs up, writes, signs out and in again', async () => {
    const { http } = browserAxios();
    const email = 'axios@example.com';
    assert.equal((await http.post('/api/auth/signin', { email, password: PASSWORD })).status, 419);

    assert.equal((await http.get('/stateful/csrf-cookie')).status, 204);
    const account = { name: 'Axios', email, password: PASSWORD, terms_accepted: true };
    assert.equal((await http.post('/api/auth/signup', account)).status, 201);
    assert.equal((await http.get('/api/user')).data.email, email);
    assert.equal((await http.post('/api/probe/member', { text: 'a' })).status, 201);
    assert.equal((await http.post('/api/auth/signout')).status, 204);
    assert.equal((await http.get('/api/user')).status, 401);
    const signedIn = await http.post('/api/auth/signin', { email, password: PASSWORD });
    assert.equal(signedIn.status, 200);
    assert.equal(signedIn.headers['access-control-allow-origin'], FRONTEND);
    assert.equal(signedIn.headers['access-control-allow-credentials'], 'true');
  });

  it('can get its first token with a 401, without the csrf-cookie route', async () => {
    const { http } = browserAxios();
    assert.equal((await http.get('/api/user')).status, 401);
    assert.equal((await http.post('/api/probe/stateful', { text: 'a' })).status, 201);
  });
});

describe('curl with a cookie jar', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-curl-'));
  const jar = join(folder, 'jar');
  const email = 'curl@example.com';
  before(() => api.client().signUp({ email }));
  after(() => rmSync(folder, { recursive: true }));

  async function curl(...words: string[]): Promise<{ status: string; body: string }> {
    const { stdout } = await run('curl', [
      '-sS',
      '-b',
      jar,
      '-c',
      jar,
      '-w',
      '\n%{http_code}',
      ...words,
    ]);
    const at = stdout.lastIndexOf('\n');
    return { status: stdout.slice(at + 1), body: stdout.slice(0, at) };
  }
  const tokenInJar = () => /\tXSRF-TOKEN\t(\S+)/.exec(readFileSync(jar, 'utf8'))?.[1] ?? '';
  const signIn = (token: string) =>
    curl(
      '-X',
      'POST',
      `${address}/api/auth/signin`,
      '-H',
      'Content-Type: application/json',
      '-H',
      `X-XSRF-TOKEN: ${token}`,
      '-d',
      JSON.stringify({ email, password: PASSWORD }),
    );

  it('gets 419 when it starts with sign-in', async () => {
    const { status, body } = await signIn('guessed');
    assert.equal(status, '419');
    assert.equal(JSON.parse(body).message, 'CSRF token mismatch.');
  });

  it('completes the five steps', async () => {
    assert.deepEqual(await curl(`${address}/stateful/csrf-cookie`), { status: '204', body: '' });
    const token = tokenInJar();
    assert.match(token, /^[A-Za-z][A-Za-z0-9._-]*$/);
    assert.equal((await signIn(token)).status, '200');
    const user = await curl(`${address}/api/user`);
    assert.equal(user.status, '200');
    assert.equal(JSON.parse(user.body).email, email);
    assert.equal((await curl(`${address}/api/admin/probe`)).status, '403');
    const signOut = ['-X', 'POST', `${address}/api/auth/signout`, '-H'];
    assert.equal((await curl(...signOut, `X-XSRF-TOKEN: ${token}`)).status, '419');
    assert.equal((await curl(...signOut, `X-XSRF-TOKEN: ${tokenInJar()}`)).status, '204');
    assert.equal((await curl(`${address}/api/user`)).status, '401');
  });
});
