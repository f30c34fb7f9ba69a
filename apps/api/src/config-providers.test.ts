/** The parts of the environment that name services elsewhere. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from './config.ts';

describe('readConfig, of providers', () => {
  it('takes providers by id and secret together, and their addresses only in tests', () => {
    const both = readConfig({ GOOGLE_CLIENT_ID: 'desk', GOOGLE_CLIENT_SECRET: 'hush' });
    assert.deepEqual(both.providers.google, { id: 'desk', secret: 'hush' });
    assert.throws(() => readConfig({ FACEBOOK_CLIENT_ID: 'x' }), /belong together/);
    const real = { APP_ENV: 'production', GOOGLE_ISSUER: 'https://evil.test' };
    assert.throws(() => readConfig(real), /GOOGLE_ISSUER is for tests/);
  });

  it('takes the address of the rate providers in tests only', () => {
    assert.equal(readConfig({}).rateProvidersUrl, null);
    const RATE_PROVIDERS_URL = 'http://127.0.0.1:4100/';
    assert.equal(readConfig({ RATE_PROVIDERS_URL }).rateProvidersUrl, 'http://127.0.0.1:4100');
    assert.throws(() => readConfig({ RATE_PROVIDERS_URL: 'nowhere' }), /RATE_PROVIDERS_URL/);
    const real = { RATE_PROVIDERS_URL, APP_ENV: 'production' };
    assert.throws(() => readConfig(real), /RATE_PROVIDERS_URL is for tests/);
  });
});
