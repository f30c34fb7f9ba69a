import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readConfig } from '../../apps/api/src/config.ts';
import { demoFolder } from './database.ts';

it('only the embedded database of a local installation is a demo that may be recreated', () => {
  const env = {
    APP_KEY: `base64:${'A'.repeat(43)}=`,
    DATA_DIR: '/srv/cambist',
    ADMIN_EMAIL: 'a@b.example',
  };
  const folderOf = (more: Record<string, string>) => demoFolder(readConfig({ ...env, ...more }));
  const DATABASE_URL = 'postgres://desk:word@db.example/desk';
  assert.equal(folderOf({}), '/srv/cambist');
  assert.equal(folderOf({ DATABASE_URL }), null);
  const production = {
    APP_ENV: 'production',
    APP_URL: 'https://api.desk.example',
    FRONTEND_URL: 'https://desk.example',
  };
  assert.equal(folderOf(production), null);
  assert.equal(folderOf({ ...production, DATABASE_URL }), null);
});
