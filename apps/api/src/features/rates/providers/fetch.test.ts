import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { rateProviders, type RateFailure } from '@cambist/contract/rate-settings';
import { startRateProviders, type Mood } from '#test/fakes/rate-providers.ts';
import { fetchRates, type FetchOptions } from './fetch.ts';
import type { RateProvider } from './provider.ts';
import { providers } from './list.ts';

const fakes = await startRateProviders({ after });
const fake = fakes.fixer;
const options: FetchOptions = { key: fake.key, units: ['USD', 'PLN'], providersUrl: fakes.url };

async function refused(mood: Mood, more: Partial<FetchOptions> = {}) {
  fake.mood = mood;
  const reading = await fetchRates(providers.fixer, { ...options, ...more });
  fake.mood = 'well';
  assert.ok(!reading.ok, JSON.stringify(reading));
  return reading;
}

describe('fetchRates', () => {
  it('names what is no answer', async () => {
    const cases: readonly (readonly [Mood, RateFailure, RegExp])[] = [
      ['html', 'malformed', /200 with a page \(HTML\) instead of JSON/],
      ['reset', 'unavailable', /could not be reached \(/],
      [{ body: '' }, 'malformed', /empty body/],
      [{ body: '', status: 502 }, 'unavailable', /502/],
      [{ body: '<html>', status: 500 }, 'unavailable', /page/],
      [{ body: '<html>', status: 403 }, 'unavailable', /page/],
      [{ body: '<html>', status: 401 }, 'invalid_key', /page/],
      [{ body: '<html>', status: 429 }, 'rate_limited', /page/],
      [{ body: Buffer.from([0x7b, 0xff, 0x7d]) }, 'malformed', /UTF-8/],
      [{ body: '{"success":true,"success":true}' }, 'malformed', /200 with JSON .* twice/],
      [{ body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 'malformed', /not JSON/],
      [{ body: '{"__proto__":{"success":true}}' }, 'malformed', /not JSON/],
    ];
    for (const [mood, failure, words] of cases) {
      const reading = await refused(mood);
      assert.equal(reading.failure, failure, `${inspect(mood)}: ${reading.detail}`);
      assert.match(reading.detail, words);
    }
  });

  it('reads an error that comes with 200, and takes no rates that come with 500', async () => {
    assert.equal((await refused({ error: 'quota', status: 200 })).failure, 'quota_exceeded');
    assert.equal((await refused({ error: 'quota', status: 500 })).failure, 'quota_exceeded');
    const wrong = await refused({ wellWith: 500 });
    assert.equal(wrong.failure, 'unavailable');
    assert.match(wrong.detail, /500 together with rates/);
  });

  it('follows no redirect', async () => {
    for (const redirect of [
      fakes.trap.url,
      '/trap',
      '//127.0.0.1:1/x',
      'file:///etc/passwd',
      ':',
    ]) {
      const reading = await refused({ redirect });
      assert.equal(reading.failure, 'unavailable');
      assert.match(reading.detail, /redirect was not followed/);
    }
    assert.equal(fakes.trap.hits, 0);
  });

  it('stops reading 100 MB at the first', async () => {
    const reading = await refused('huge');
    assert.equal(reading.failure, 'malformed');
    assert.match(reading.detail, /larger than 1 MB/);
    // What lies in the buffers of two sockets comes on top.
    assert.ok(fake.sentBytes < 20_000_000, `${fake.sentBytes} bytes were taken`);
  });

  it('counts what is unpacked, not what is sent', async () => {
    const before = process.memoryUsage().rss;
    const reading = await refused('huge-unpacked');
    assert.equal(reading.failure, 'malformed');
    assert.match(reading.detail, /larger than 1 MB/);
    assert.ok(process.memoryUsage().rss - before < 400_000_000);
  });

  it('has one time-out for the whole exchange', async () => {
    for (const mood of ['hanging', 'dripping'] as const) {
      const reading = await refused(mood, { timeoutMs: 300 });
      assert.equal(reading.failure, 'unavailable');
      assert.match(reading.detail, /within 0\.3 seconds/);
      assert.ok(reading.durationMs >= 290 && reading.durationMs < 3000, `${reading.durationMs}`);
    }
  });

  it('names a peer that is not there, or speaks no HTTP', async () => {
    const stranger = createServer((socket) => socket.resume().end('220 mail.test ESMTP\r\n'));
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    assert.ok(typeof address === 'object' && address !== null);
    const providersUrl = `http://127.0.0.1:${address.port}`;
    const strange = await refused('well', { providersUrl });
    assert.equal(strange.failure, 'unavailable');
    stranger.close();
    await once(stranger, 'close');
    const absent = await refused('well', { providersUrl });
    assert.equal(absent.failure, 'unavailable');
    assert.match(absent.detail, /\(ECONNREFUSED\)/);
  });

  it('sends nothing without a key, or with one that no header can carry', async () => {
    fake.requests.length = 0;
    for (const key of [null, '', 'two words', 'line\r\nbreak: 1', 'schlüssel', 'x'.repeat(300)]) {
      const reading = await refused('well', { key });
      assert.equal(reading.failure, 'invalid_key');
      assert.ok(key === null || key === '' || !reading.detail.includes(key));
    }
    assert.equal(fake.requests.length, 0);
  });

  it('sends nothing over plain http outside of tests', async () => {
    const plain: RateProvider = {
      ...providers.fixer,
      request: () => ({ url: new URL(`${fakes.url}/fixer/api/latest`), headers: {} }),
    };
    fake.requests.length = 0;
    const reading = await fetchRates(plain, { ...options, providersUrl: null });
    assert.ok(!reading.ok && /not https/.test(reading.detail));
    assert.equal(fake.requests.length, 0);
  });

  it('survives an adapter that throws', async () => {
    const broken: RateProvider = {
      ...providers.fixer,
      read() {
        throw new Error(`secret ${fake.key}`);
      },
    };
    const reading = await fetchRates(broken, options);
    assert.ok(!reading.ok && !inspect(reading).includes(fake.key));
  });
});

describe('a key', () => {
  it('stands in nothing that comes back, though the provider repeats it in every way', async () => {
    for (const name of rateProviders) {
      const key = `K3y+/=${'a'.repeat(20)}%`;
      const words = `Bad key ${key}, ${key.toUpperCase()}, ${encodeURIComponent(key)}\u0007`;
      const long = `${'…'.repeat(290)}${key}`;
      const bodies = [words, long].flatMap((text) => {
        const quoted = JSON.stringify(text);
        return [
          `{"result":"error","error-type":${quoted}}`,
          `{"error":true,"status":401,"message":"invalid_app_id","description":${quoted}}`,
          `{"success":false,"error":{"code":101,"type":"invalid_access_key","info":${quoted}}}`,
          `{"message":${quoted}}`,
          `{"status":{"error_code":10002,"error_message":${quoted}}}`,
        ];
      });
      for (const body of bodies) {
        for (const mood of [
          { body, status: 401 },
          { redirect: `http://x.test/?${key}` },
        ] as const) {
          fakes[name].mood = mood;
          const reading = await fetchRates(providers[name], { ...options, key });
          const shown = inspect(reading, { depth: 9 }).toLowerCase();
          assert.ok(!reading.ok);
          assert.ok(reading.detail.length <= 300);
          for (const secret of [key, encodeURIComponent(key), key.slice(0, 12)]) {
            assert.ok(!shown.includes(secret.toLowerCase()), shown);
          }
        }
      }
      fakes[name].mood = 'well';
    }
  });
});
