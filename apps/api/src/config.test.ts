import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig, warnings } from './config.ts';
import { ConfigError, type Variables } from './environment.ts';

const APP_KEY = `base64:${Buffer.alloc(32, 7).toString('base64')}`;

function complaints(env: Variables): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.complaints;
  }
  return [];
}

/** Asserts that there is exactly one complaint, that it names the variable, and is a sentence. */
function refuses(env: Variables, name: string): void {
  const found = complaints(env);
  assert.equal(found.length, 1, `${JSON.stringify(env)} → ${JSON.stringify(found)}`);
  assert.match(found[0] ?? '', new RegExp(`^${name}\\b.*\\.$`));
}

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    assert.equal(config.appEnv, 'local');
    assert.equal(config.appKey, null);
    assert.equal(config.appUrl, 'http://localhost:8000');
    assert.equal(config.frontendUrl, 'http://localhost:4000');
    assert.deepEqual(config.apiListen, { host: '127.0.0.1', port: 8000 });
    assert.equal(config.databaseUrl, null);
    assert.deepEqual(config.corsAllowedOrigins, ['http://localhost:4000']);
    assert.deepEqual(config.trustedProxies, ['127.0.0.1', '::1']);
    assert.equal(config.throttleScale, 1);
    assert.deepEqual(config.session, {
      domain: null,
      secure: false,
      sameSite: 'lax',
      idleMinutes: 120,
      absoluteHours: 720,
      adminIdleMinutes: 30,
      adminAbsoluteHours: 12,
    });
  });

  it('tells every complaint at once', () => {
    const found = complaints({
      APP_ENV: 'staging',
      APP_KEY: 'short',
      APP_URL: 'example.com',
      API_LISTEN: '8000',
      SESSION_LIFETIME: '0',
      THROTTLE_SCALE: '-1',
      LOG_LEVEL: 'loud',
    });
    assert.equal(found.length, 7);
    for (const sentence of found) assert.match(sentence, /^[A-Z_]+ .*\.$/);
  });

  it('takes empty, blank and the word null for unset', () => {
    const unset = { SESSION_DOMAIN: 'null', APP_KEY: '', DATABASE_URL: ' ', APP_ENV: 'NULL' };
    assert.deepEqual(readConfig(unset), readConfig({}));
  });

  it('reads APP_KEY as 32 bytes and repeats no part of a wrong one', () => {
    assert.deepEqual(readConfig({ APP_KEY }).appKey, Buffer.alloc(32, 7));
    refuses({ APP_KEY: 'base64:c2VjcmV0' }, 'APP_KEY');
    refuses({ APP_KEY: Buffer.alloc(32).toString('base64') }, 'APP_KEY');
    assert.ok(!complaints({ APP_KEY: 'base64:c2VjcmV0' }).join().includes('c2VjcmV0'));
  });

  it('lets the addresses follow the ports that are listened on', () => {
    const config = readConfig({ API_LISTEN: '0.0.0.0:9000', WEB_LISTEN: '[::1]:9001' });
    assert.equal(config.appUrl, 'http://localhost:9000');
    assert.equal(config.frontendUrl, 'http://localhost:9001');
    assert.deepEqual(config.webListen, { host: '::1', port: 9001 });
    assert.deepEqual(config.corsAllowedOrigins, ['http://localhost:9001']);
    assert.ok(config.statefulDomains.includes('localhost:9001'));
    assert.equal(readConfig({ API_LISTEN: '192.0.2.5:80' }).appUrl, 'http://192.0.2.5:80');
  });

  it('refuses what is not host:port, and one port for both', () => {
    for (const value of [
      '8000',
      'localhost',
      'localhost:0',
      'localhost:65536',
      '::1:80',
      '[x]:80',
      'a b:1',
    ]) {
      refuses({ API_LISTEN: value }, 'API_LISTEN');
    }
    refuses({ API_LISTEN: '127.0.0.1:4000' }, 'API_LISTEN and WEB_LISTEN');
  });

  it('strips the trailing slash of an address and refuses a path', () => {
    assert.equal(
      readConfig({ APP_URL: 'https://API.example.com/' }).appUrl,
      'https://api.example.com',
    );
    assert.equal(
      readConfig({ FRONTEND_URL: 'https://example.com:443' }).frontendUrl,
      'https://example.com',
    );
    for (const value of [
      'https://example.com/app',
      'ftp://example.com',
      'https://u:p@example.com',
      'https://example.com?x',
    ]) {
      refuses({ APP_URL: value }, 'APP_URL');
    }
  });

  it('resolves DATA_DIR against the repository, not the working directory', () => {
    const root = resolve(import.meta.dirname, '../../..');
    assert.equal(readConfig({}).dataDir, resolve(root, 'storage'));
    assert.equal(readConfig({ DATA_DIR: 'elsewhere' }).dataDir, resolve(root, 'elsewhere'));
    assert.equal(readConfig({ DATA_DIR: '/var/lib/desk' }).dataDir, '/var/lib/desk');
  });

  it('refuses a DATABASE_URL without a database and never repeats it', () => {
    const good = 'postgresql://desk:secret@db.example.com:5433/desk?sslmode=require';
    assert.equal(readConfig({ DATABASE_URL: good }).databaseUrl, good);
    for (const value of ['mysql://u:secret@h/d', 'postgres://u:secret@h', 'secret']) {
      refuses({ DATABASE_URL: value }, 'DATABASE_URL');
      assert.ok(!complaints({ DATABASE_URL: value }).join().includes('secret@'));
    }
  });

  it('refuses * and anything but full origins for CORS', () => {
    const config = readConfig({
      CORS_ALLOWED_ORIGINS: 'https://a.test/, https://b.test:8443 ,https://a.test',
    });
    assert.deepEqual(config.corsAllowedOrigins, ['https://a.test', 'https://b.test:8443']);
    for (const value of ['*', 'https://*.a.test', 'a.test', 'https://a.test/x', 'null-ish']) {
      refuses({ CORS_ALLOWED_ORIGINS: value }, 'CORS_ALLOWED_ORIGINS');
    }
  });

  it('builds the stateful list from the local hosts and FRONTEND_URL', () => {
    const { statefulDomains } = readConfig({ FRONTEND_URL: 'https://desk.example.com:8443' });
    for (const host of [
      'localhost',
      'localhost:4000',
      '127.0.0.1',
      '127.0.0.1:8000',
      '::1',
      '[::1]:4000',
      'desk.example.com:8443',
    ]) {
      assert.ok(statefulDomains.includes(host), host);
    }
    assert.ok(!statefulDomains.includes('desk.example.com'));
  });

  it('wants SESSION_DOMAIN as a root domain with its leading dot', () => {
    assert.equal(readConfig({ SESSION_DOMAIN: '.Example.com' }).session.domain, '.example.com');
    for (const value of [
      'example.com',
      '.',
      '.127.0.0.1',
      'https://example.com',
      '.example.com:80',
      '.a..b',
    ]) {
      refuses({ SESSION_DOMAIN: value }, 'SESSION_DOMAIN');
    }
  });

  it('makes cookies secure when asked, and by itself when APP_URL is https', () => {
    assert.equal(readConfig({ SESSION_SECURE_COOKIE: 'TRUE' }).session.secure, true);
    assert.equal(readConfig({ APP_URL: 'https://a.test' }).session.secure, true);
    assert.equal(
      readConfig({ APP_URL: 'https://a.test', SESSION_SECURE_COOKIE: '0' }).session.secure,
      false,
    );
    refuses({ SESSION_SECURE_COOKIE: 'maybe' }, 'SESSION_SECURE_COOKIE');
  });

  it('keeps an admin no longer than SESSION_LIFETIME, and at most half an hour idle', () => {
    assert.equal(readConfig({ SESSION_LIFETIME: '5' }).session.adminIdleMinutes, 5);
    assert.equal(readConfig({ SESSION_LIFETIME: '600' }).session.adminIdleMinutes, 30);
    for (const value of ['1.5', '-1', '43201', 'long'])
      refuses({ SESSION_LIFETIME: value }, 'SESSION_LIFETIME');
  });

  it('takes addresses and ranges as proxies, never a count or a wildcard', () => {
    assert.deepEqual(
      readConfig({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' }).trustedProxies,
      ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    );
    for (const value of ['1', '*', 'true', '10.0.0.0/33', 'proxy.test', '10.0.0.0/8/8']) {
      refuses({ TRUSTED_PROXIES: value }, 'TRUSTED_PROXIES');
    }
  });

  it('scales throttles, with 0 for none', () => {
    assert.equal(readConfig({ THROTTLE_SCALE: '0' }).throttleScale, 0);
    assert.equal(readConfig({ THROTTLE_SCALE: '2.5' }).throttleScale, 2.5);
    for (const value of ['1e9', 'Infinity', 'NaN', '0x10'])
      refuses({ THROTTLE_SCALE: value }, 'THROTTLE_SCALE');
  });

  it('keeps the spaces of ADMIN_PASSWORD and refuses a short one', () => {
    assert.deepEqual(
      readConfig({ ADMIN_EMAIL: 'a@b.test', ADMIN_PASSWORD: ' padded pass ' }).admin,
      { email: 'a@b.test', password: ' padded pass ' },
    );
    refuses({ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD');
    refuses({ ADMIN_EMAIL: 'nobody' }, 'ADMIN_EMAIL');
  });
});

describe('warnings', () => {
  const https = {
    APP_KEY,
    APP_URL: 'https://api.desk.test',
    FRONTEND_URL: 'https://app.desk.test',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const warn = (env: Variables) => warnings(readConfig({ APP_KEY, ...env }));

  function warnsOnce(env: Variables, pattern: RegExp): void {
    const found = warn(env);
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.match(found[0] ?? '', pattern);
  }

  it('has none for the local default and for the three layouts of the specification', () => {
    assert.deepEqual(warn({}), []);
    assert.deepEqual(warn({ ...https, SESSION_DOMAIN: '.desk.test' }), []);
    assert.deepEqual(
      warn({ ...https, APP_URL: 'https://desk.test', FRONTEND_URL: 'https://desk.test' }),
      [],
    );
  });

  it('names the missing APP_KEY', () => {
    assert.match(warnings(readConfig({})).join(), /APP_KEY is missing/);
  });

  it('names a SESSION_DOMAIN that does not cover both origins', () => {
    warnsOnce(
      { ...https, SESSION_DOMAIN: '.app.desk.test' },
      /does not cover APP_URL \(api\.desk\.test\)/,
    );
    assert.equal(warn({ ...https, SESSION_DOMAIN: '.other.test' }).length, 2);
    assert.match(warn({ ...https, SESSION_DOMAIN: '.esk.test' }).join(), /does not cover/);
    assert.match(warn({ SESSION_DOMAIN: '.localhost' }).join(), /single label/);
  });

  it('proposes the SESSION_DOMAIN that sibling subdomains need', () => {
    warnsOnce(https, /Set SESSION_DOMAIN=\.desk\.test\./);
    warnsOnce({ ...https, FRONTEND_URL: 'https://desk.test' }, /Set SESSION_DOMAIN=\.desk\.test\./);
    warnsOnce({ ...https, FRONTEND_URL: 'https://other.test' }, /different sites/);
    warnsOnce({ APP_URL: 'http://127.0.0.1:8000' }, /different sites/);
    warnsOnce({ APP_URL: 'http://10.0.0.1', FRONTEND_URL: 'http://9.0.0.1' }, /different sites/);
  });

  it('names secure cookies without https and mixed schemes', () => {
    const found = warn({ SESSION_SECURE_COOKIE: 'true' });
    assert.equal(found.length, 2);
    assert.match(found.join(), /APP_URL is not https.*FRONTEND_URL is not https/s);
    assert.match(
      warn({ FRONTEND_URL: 'https://localhost:4000' }).join(),
      /differ in http and https/,
    );
    warnsOnce({ SESSION_SAME_SITE: 'none' }, /SESSION_SAME_SITE is none/);
  });

  it('names a FRONTEND_URL that CORS does not name', () => {
    const same = { ...https, APP_URL: 'https://desk.test', FRONTEND_URL: 'https://desk.test' };
    warnsOnce(
      { ...same, CORS_ALLOWED_ORIGINS: 'https://other.test' },
      /does not name FRONTEND_URL/,
    );
  });

  it('believes proxies on this machine only while nobody else can reach the API', () => {
    assert.deepEqual(readConfig({ API_LISTEN: '0.0.0.0:8000' }).trustedProxies, []);
    assert.deepEqual(readConfig({ TRUSTED_PROXIES: '10.0.0.1' }).trustedProxies, ['10.0.0.1']);
  });
});
