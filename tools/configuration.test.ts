import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ConfigError } from '../apps/api/src/environment.ts';
import {
  cachePath,
  clearCache,
  loadConfiguration,
  writeCache,
  type Files,
} from './configuration.ts';

let root: string;
let files: Files;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cambist-configuration-'));
  files = { env: { DATA_DIR: join(root, 'data') }, root };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeEnv(text: string): void {
  writeFileSync(join(root, '.env'), text);
}

describe('the configuration cache', () => {
  it('is read by its owner only and holds what .env says', async () => {
    writeEnv('APP_URL="https://desk.test/" # as people type it\nFRONTEND_URL=https://desk.test\n');
    const path = await writeCache(files);
    assert.equal(path, join(root, 'data/cache/config.json'));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
      APP_URL: 'https://desk.test/',
      FRONTEND_URL: 'https://desk.test',
    });
  });

  it('counts instead of .env, and says which names differ', async () => {
    writeEnv('APP_URL=https://old.test\n');
    await writeCache(files);
    writeEnv('APP_URL=https://new.test\nLOG_LEVEL=debug\n');
    const { config, notes } = loadConfiguration(files);
    assert.equal(config.appUrl, 'https://old.test');
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /\(APP_URL, LOG_LEVEL\).*config:cache/);
    await writeCache(files);
    assert.equal(loadConfiguration(files).config.appUrl, 'https://new.test');
    assert.deepEqual(loadConfiguration(files).notes, []);
  });

  it('is beaten by the process environment, also by an empty value', async () => {
    writeEnv('APP_URL=https://cached.test\nSESSION_DOMAIN=.cached.test\n');
    await writeCache(files);
    const env = { ...files.env, APP_URL: 'https://process.test', SESSION_DOMAIN: '' };
    const { config } = loadConfiguration({ ...files, env });
    assert.equal(config.appUrl, 'https://process.test');
    assert.equal(config.session.domain, null);
  });

  it('keeps nothing of the process environment', async () => {
    writeEnv('LOG_LEVEL=warn\n');
    const path = await writeCache({
      ...files,
      env: { ...files.env, APP_URL: 'https://process.test' },
    });
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { LOG_LEVEL: 'warn' });
  });

  it('stays as it was when .env holds a value that cannot be used', async () => {
    writeEnv('APP_URL=https://good.test\n');
    await writeCache(files);
    writeEnv('APP_URL=nonsense\n');
    await assert.rejects(writeCache(files), ConfigError);
    assert.equal(loadConfiguration(files).config.appUrl, 'https://good.test');
  });

  it('can be cleared, after which .env counts again', async () => {
    writeEnv('LOG_LEVEL=warn\n');
    await writeCache(files);
    writeEnv('LOG_LEVEL=error\n');
    assert.equal(clearCache(files), true);
    assert.equal(clearCache(files), false);
    assert.equal(loadConfiguration(files).config.logLevel, 'error');
  });

  it('lies where DATA_DIR of .env says when the process does not', () => {
    writeEnv(`DATA_DIR=${join(root, 'elsewhere')}\n`);
    assert.equal(cachePath({ env: {}, root }), join(root, 'elsewhere/cache/config.json'));
    assert.equal(loadConfiguration({ env: {}, root }).config.dataDir, join(root, 'elsewhere'));
  });

  it('that is damaged is no cache', () => {
    mkdirSync(join(root, 'data/cache'), { recursive: true });
    writeFileSync(cachePath(files), '{"APP_URL": "https://ha');
    writeEnv('APP_URL=https://file.test\n');
    assert.equal(loadConfiguration(files).config.appUrl, 'https://file.test');
  });

  it('comes with a word about names that nothing reads', () => {
    writeEnv('APP_ULR=https://typo.test\n');
    assert.match(loadConfiguration(files).notes.join(), /sets APP_ULR, which nothing reads/);
  });
});
