import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { probe } from '#test/fakes/probe.ts';
import { auth } from '#features/auth/routes.ts';
import { networkOf, widerNetworkOf } from './throttles.ts';

describe('networkOf', () => {
  for (const [ip, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ] as const) {
    it(`takes ${ip} for ${network}`, () => assert.equal(networkOf(ip), network));
  }
});

describe('widerNetworkOf', () => {
  for (const [ip, network] of [
    ['203.0.113.7', null],
    ['::ffff:203.0.113.7', null],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
  ] as const) {
    it(`takes ${ip} for ${network}`, () => assert.equal(widerNetworkOf(ip), network));
  }
});

describe('a throttled route', async () => {
  const env = { THROTTLE_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' };
  const api = await startTestApi({ after }, { features: [auth, probe], env });
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  const write = (ip: string) => api.client().post('/api/probe/public', { text: 'a' }, from(ip));

  it('counts down, then answers 429 and says when to come back', async () => {
    const first = await write('203.0.113.1');
    assert.equal(first.status, 201);
    assert.equal(first.headers['x-ratelimit-limit'], '5');
    assert.equal(first.headers['x-ratelimit-remaining'], '4');
    for (let count = 2; count <= 5; count += 1)
      assert.equal((await write('203.0.113.1')).status, 201);

    const refused = await write('203.0.113.1');
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.body, { message: 'Too Many Attempts.', code: 'too_many_attempts' });
    assert.equal(refused.headers['x-ratelimit-remaining'], '0');
    const waitSeconds = Number(refused.headers['retry-after']);
    assert.ok(waitSeconds >= 1 && waitSeconds <= 60);
    const resetInSeconds = Number(refused.headers['x-ratelimit-reset']) - Date.now() / 1000;
    assert.ok(resetInSeconds > 0 && resetInSeconds <= 61);
    assert.equal(refused.headers['access-control-allow-origin'], 'http://localhost:4000');
  });

  it('counts each network by itself, an IPv6 household as one', async () => {
    assert.equal((await write('203.0.113.2')).status, 201);
    for (let host = 1; host <= 5; host += 1) {
      assert.equal((await write(`2001:db8:0:7::${host}`)).status, 201);
    }
    assert.equal((await write('2001:db8:0:7:ffff::9')).status, 429);
    assert.equal((await write('2001:db8:0:8::1')).status, 201);
  });

  it('gives an IPv6 /48 ten times the allowance of one network', async () => {
    for (let count = 0; count < 50; count += 1) {
      assert.equal((await write(`2001:db8:1:${count % 25}::1`)).status, 201);
    }
    // What a network tries beyond its own allowance takes nothing of the others'.
    assert.equal((await write('2001:db8:1:99::1')).status, 429);
    assert.equal((await write('2001:db8:2:1::1')).status, 201);
    for (let count = 0; count < 60; count += 1) await write('2001:db8:2:2::1');
    assert.equal((await write('2001:db8:2:3::1')).status, 201);
  });

  it('counts a person, wherever they are', async () => {
    const { client } = await api.asMember();
    for (let count = 1; count <= 5; count += 1) {
      const answer = await client.post('/api/probe/member', { text: 'a' }, from('203.0.113.3'));
      assert.equal(answer.status, 201);
    }
    const elsewhere = await client.post('/api/probe/member', { text: 'a' }, from('203.0.113.4'));
    assert.equal(elsewhere.status, 429);
    assert.equal((await write('203.0.113.4')).status, 201);
  });

  it('counts the network beside the person, where an account could be opened for each try', async () => {
    const [one, other] = [await api.asMember(), await api.asMember()];
    const ask = ({ client }: typeof one) =>
      client.post('/api/probe/member', { text: 'a' }, from('203.0.113.6'));
    for (let count = 1; count <= 5; count += 1)
      assert.equal((await ask(count < 4 ? one : other)).status, 201);
    for (const member of [one, other]) assert.equal((await ask(member)).status, 429);
    assert.equal((await write('203.0.113.6')).status, 429);
  });

  it('counts new accounts by network, also those opened one from another', async () => {
    const client = api.client();
    const statuses = [];
    for (let count = 1; count <= 21; count += 1) {
      const body = {
        name: 'Alex Marlow',
        email: `${randomUUID()}@example.com`,
        password: PASSWORD,
        terms_accepted: true,
      };
      statuses.push((await client.post('/api/auth/signup', body, from('203.0.113.7'))).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 201), 429]);
  });

  it('counts everyday writes of a person alone: an office shares a network', async () => {
    const office = await startTestApi(
      { after },
      { features: [auth, probe], env: { THROTTLE_SCALE: '0.1' } },
    );
    for (const { client } of [await office.asMember(), await office.asMember()]) {
      for (let count = 1; count <= 7; count += 1) {
        const answer = await client.post('/api/probe/once', { text: 'a' }, { key: true });
        assert.equal(answer.status, 200, answer.text);
      }
    }
  });

  it('does not count what is refused before: 419, 401, 415', async () => {
    const client = api.client();
    const ip = from('203.0.113.5');
    for (let count = 1; count <= 6; count += 1) {
      const wrongToken = { headers: { ...ip.headers, 'x-xsrf-token': 'x' } };
      assert.equal(
        (await client.post('/api/probe/stateful', { text: 'a' }, wrongToken)).status,
        419,
      );
      assert.equal((await client.post('/api/probe/member', { text: 'a' }, ip)).status, 401);
      const plain = { headers: { ...ip.headers, 'content-type': 'text/plain' } };
      assert.equal((await client.post('/api/probe/public', 'a', plain)).status, 415);
    }
    assert.equal((await client.post('/api/probe/public', { text: 'a' }, ip)).status, 201);
  });

  it('counts what is invalid, and does not parse a body beyond the limit', async () => {
    const client = api.client();
    const ip = from('203.0.113.10');
    const broken = { headers: { ...ip.headers, 'content-type': 'application/json' } };
    for (let count = 1; count <= 5; count += 1) {
      const answer = await client.post('/api/probe/public', { text: '' }, ip);
      assert.equal(answer.status, 422);
      assert.equal(answer.headers['x-ratelimit-remaining'], String(5 - count));
    }
    for (const body of ['{"text":', '{"text":"a"}', '{"text":""}']) {
      const refused = await client.post('/api/probe/public', Readable.from([body]), broken);
      assert.equal(refused.status, 429, body);
    }
    const plain = { headers: { ...ip.headers, 'content-type': 'text/plain' } };
    assert.equal((await client.post('/api/probe/public', 'a', plain)).status, 415);
  });

  it('counts an invalid body of a person for the person', async () => {
    const { client } = await api.asMember();
    const ip = (last: number) => from(`203.0.113.${last}`);
    for (let count = 1; count <= 5; count += 1)
      assert.equal((await client.post('/api/probe/member', {}, ip(30 + count))).status, 422);
    assert.equal((await client.post('/api/probe/member', { text: 'a' }, ip(36))).status, 429);
  });

  it('counts the frontend for itself, apart from its visitors and no less than them', async () => {
    const own = () => api.client().post('/api/probe/public', { text: 'a' });
    for (let count = 1; count <= 6; count += 1) await write('203.0.113.20');
    assert.equal((await write('203.0.113.20')).status, 429);
    // Who says that they were forwarded from there is not the frontend.
    for (let count = 1; count <= 6; count += 1) await write('127.0.0.1, 203.0.113.21');
    for (let count = 1; count <= 5; count += 1) assert.equal((await own()).status, 201);
    assert.equal((await own()).status, 429);
  });

  it('believes no forwarded address from elsewhere', async () => {
    const untrusting = await startTestApi(
      { after },
      { features: [auth, probe], env: { THROTTLE_SCALE: '0.2', TRUSTED_PROXIES: '192.0.2.1' } },
    );
    const ask = (ip: string) =>
      untrusting.client().post('/api/probe/public', { text: 'a' }, from(ip));
    assert.equal((await ask('203.0.113.8')).status, 201);
    assert.equal((await ask('203.0.113.9')).status, 429);
  });
});
