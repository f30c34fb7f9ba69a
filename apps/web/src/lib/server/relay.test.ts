/** The relay against a small API that sets cookies. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import type { RequestEvent } from '@sveltejs/kit';
import { currentUser, signOut, type User } from '@cambist/contract/accounts';
import { unsubscribe } from '@cambist/contract/newsletter';
import { listProviders } from '@cambist/contract/providers';
import { getTwoFactorChallenge } from '@cambist/contract/second-factor';
import { standInApi } from '#lib/test/stand-in.ts';

let seen: { path: string; headers: IncomingHttpHeaders }[] = [];
let status = 200;
let setCookies: string[] = [];

await standInApi((incoming, response) => {
  seen.push({ path: incoming.url ?? '', headers: incoming.headers });
  const body =
    status === 204
      ? undefined
      : JSON.stringify({ message: 'Unauthenticated.', code: 'unauthenticated' });
  response
    .writeHead(status, { 'content-type': 'application/json', 'set-cookie': setCookies })
    .end(body);
});
const { createRelay, signInWhenLost } = await import('./relay.ts');
const { redirectFor, loadVisitor } = await import('./session.ts');

function visit(cookie: string | null): RequestEvent {
  const headers = new Headers({ 'user-agent': 'Test/1', ...(cookie ? { cookie } : {}) });
  const url = new URL('https://site.test/exchanges?page=2');
  const request = new Request(url, { headers });
  return { request, url, getClientAddress: () => '203.0.113.7' } as RequestEvent;
}

/** The cookies that the relay copies onto the answer. */
function handedBack(relay: ReturnType<typeof createRelay>): string[] {
  const headers = new Headers();
  relay.handBack(headers);
  return headers.getSetCookie();
}

beforeEach(() => {
  seen = [];
  status = 204;
  setCookies = [];
});

describe('the relay', () => {
  it("sends the visitor's cookies and address, this site's origin and the request id", async () => {
    await createRelay(visit('XSRF-TOKEN=a%3D; session=s; theme=dark'), 'request-1').call(signOut);
    const headers = seen[0]?.headers ?? {};
    assert.equal(headers.cookie, 'XSRF-TOKEN=a%3D; session=s; theme=dark');
    assert.equal(headers['x-xsrf-token'], 'a=');
    assert.equal(headers.origin, 'https://site.test');
    assert.equal(headers.referer, 'https://site.test/exchanges');
    assert.equal(headers['x-forwarded-for'], '203.0.113.7');
    assert.equal(headers['x-request-id'], 'request-1');
    assert.equal(headers['user-agent'], 'Test/1');
  });

  it('uses a cookie the API has just set for the next call, and drops one it ended', async () => {
    const relay = createRelay(visit('XSRF-TOKEN=a; session=old; gone=1'), 'r');
    setCookies = ['session=new; Path=/; HttpOnly', 'gone=; Max-Age=0'];
    await relay.call(signOut);
    await relay.call(signOut);
    assert.equal(seen[1]?.headers.cookie, 'XSRF-TOKEN=a; session=new');
  });

  it('returns each cookie once, as the API wrote it, the last one of a name', async () => {
    const relay = createRelay(visit('XSRF-TOKEN=a'), 'r');
    setCookies = ['session=one; Path=/; HttpOnly; SameSite=Lax'];
    await relay.call(signOut);
    setCookies = ['session=two; Path=/; HttpOnly; SameSite=Lax', 'XSRF-TOKEN=b; Path=/'];
    await relay.call(signOut);
    assert.deepEqual(handedBack(relay), [
      'session=two; Path=/; HttpOnly; SameSite=Lax',
      'XSRF-TOKEN=b; Path=/',
    ]);
  });

  it('keeps back the cookies of a failed call and of its token request', async () => {
    setCookies = ['session=one; Path=/', 'XSRF-TOKEN=b; Path=/'];
    const afterCall = async (cookie: string | null, answer: number) => {
      status = answer;
      const relay = createRelay(visit(cookie), 'r');
      await relay.call(signOut).catch(() => undefined);
      status = 200;
      await relay.call(listProviders);
      return handedBack(relay).length;
    };
    assert.equal(await afterCall(null, 422), 0);
    assert.equal(await afterCall(null, 200), 2);
    assert.equal(await afterCall('__Host-cambist_session=over', 422), 0);
    assert.equal(await afterCall('XSRF-TOKEN=a; cambist_session=over', 419), 0);
  });

  it('keeps back cookies that came after the last successful call', async () => {
    const relay = createRelay(visit('XSRF-TOKEN=a; cambist_session=old'), 'r');
    setCookies = ['XSRF-TOKEN=b; Path=/'];
    await relay.call(signOut);
    // The session ends, and the token is fetched again: a guest's.
    status = 419;
    setCookies = ['XSRF-TOKEN=guest; Path=/', 'cambist_session=guest; Path=/'];
    await assert.rejects(relay.call(signOut));
    assert.deepEqual(handedBack(relay), ['XSRF-TOKEN=b; Path=/']);
  });

  it('keeps back the cookies of a guest whose session has ended', async () => {
    for (const cookie of [null, 'XSRF-TOKEN=a; cambist_session=over']) {
      const relay = createRelay(visit(cookie), 'r');
      status = 401;
      setCookies = ['XSRF-TOKEN=guest; Path=/', 'cambist_session=guest; Path=/'];
      await loadVisitor(relay);
      status = 200;
      await relay.call(getTwoFactorChallenge);
      await relay.call(unsubscribe, { params: { token: 't' } });
      assert.deepEqual(handedBack(relay), []);
    }
  });
});

describe('a visitor', () => {
  it('who lost only the token is looked up and gets another', async () => {
    status = 200;
    setCookies = ['XSRF-TOKEN=b; Path=/'];
    const relay = createRelay(visit('__Secure-cambist_session=s'), 'r');
    await loadVisitor(relay);
    assert.equal(seen.length, 1);
    assert.equal(handedBack(relay).length, 1);
  });

  it('without cookies costs no request', async () => {
    assert.deepEqual(await loadVisitor(createRelay(visit(null), 'r')), {
      user: null,
      userUnknown: false,
    });
    assert.equal(seen.length, 0);
  });

  it('whose session has ended is a guest', async () => {
    status = 401;
    const relay = createRelay(visit('XSRF-TOKEN=a; session=ended'), 'r');
    assert.deepEqual(await loadVisitor(relay), { user: null, userUnknown: false });
  });

  describe('is led', () => {
    const led = (method: string, address: string, group: string, user: User | null) => {
      const url = new URL(address, 'https://site.test');
      const route = { id: `/(${group})${url.pathname}` };
      const event = { url, route, request: { method } } as RequestEvent;
      return redirectFor(event, { user, userUnknown: false });
    };
    const user = { role: 'user' } as User;

    it('as a guest to sign-in and back, or told that a form was not saved', () => {
      const form = '/account?/profile&tab=2';
      const lost = '/signin?next=%2Faccount%3Ftab%3D2&trouble=not_saved';
      assert.equal(led('POST', form, 'account', null), lost);
      assert.equal(
        led('GET', form, 'account', null),
        '/signin?next=%2Faccount%3F%2Fprofile%26tab%3D2',
      );
    });

    it('away from sign-in as a user, unless a form was lost or another user signs in', () => {
      const next = '?next=%2Faccount';
      assert.equal(led('GET', `/signin${next}&trouble=not_saved`, 'auth', user), null);
      assert.equal(led('GET', `/signup${next}&trouble=not_saved`, 'auth', user), '/account');
      for (const page of ['/signin', '/signup', '/two-factor']) {
        assert.equal(led('POST', page + next, 'auth', user), null);
        assert.equal(led('GET', page + next, 'auth', user), '/account');
      }
    });
  });

  it('is unknown when the API fails', async () => {
    status = 500;
    const relay = createRelay(visit('XSRF-TOKEN=a; session=s'), 'r');
    assert.deepEqual(await loadVisitor(relay), { user: null, userUnknown: true });
  });

  it('who is signed out by a call of a guarded page is led in the same way', async () => {
    status = 401;
    const event = visit('XSRF-TOKEN=a; session=ended');
    const lost = (at: RequestEvent) =>
      signInWhenLost(createRelay(event, 'r').call, at)(currentUser);
    await assert.rejects(lost(event), {
      status: 303,
      location: '/signin?next=%2Fexchanges%3Fpage%3D2',
    });
    const url = new URL('https://site.test/account?/profile');
    const sent = { ...event, url, request: new Request(url, { method: 'POST' }) };
    await assert.rejects(lost(sent), {
      status: 303,
      location: '/signin?next=%2Faccount&trouble=not_saved',
    });
  });
});
