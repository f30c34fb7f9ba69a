import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Refusal } from '#kernel/refusal.ts';
import { settingDefaults } from './defaults.ts';
import { check, checkMeaning } from './meaning.ts';

function faulty(change: object): string[] {
  try {
    checkMeaning('seo', { ...settingDefaults.seo, ...change });
    return [];
  } catch (error) {
    return Object.keys((error as Refusal).detail.errors ?? {});
  }
}

it('what cannot be kept is told of any field, whatever else it may hold', () => {
  const value = { ...settingDefaults.seo, og_title: 'bell\u0007' };
  assert.throws(
    () => check('seo', value),
    ({ detail }: Refusal) => Object.keys(detail.errors ?? {}).join() === 'og_title',
  );
});

it('a title template has one place for a title', () => {
  for (const title_template of ['', 'Cambist', '%s | %s'])
    assert.deepEqual(faulty({ title_template }), ['title_template'], title_template);
  assert.deepEqual(faulty({ title_template: '100 % %s' }), []);
});

it('an account on X is one as X names them, or none', () => {
  for (const twitter_site of ['no at', 'desk', '@', '@name_of_16_signs', '@a\n', '@é'])
    assert.deepEqual(faulty({ twitter_site }), ['twitter_site'], twitter_site);
  for (const twitter_site of ['', '@desk', '@name_of_15_sign'])
    assert.deepEqual(faulty({ twitter_site }), []);
});

it('a password goes encrypted, but to this machine, or where there is no server', () => {
  const inTheClear = { ...settingDefaults.mail, security: 'none', username: 'desk' };
  const check = (host: string) => () => checkMeaning('mail', { ...inTheClear, host });
  for (const host of ['mail.example.com', 'localhost.example.com', '128.0.0.1'])
    assert.throws(check(host), ({ detail }: Refusal) => 'security' in (detail.errors ?? {}), host);
  for (const host of ['', 'localhost', 'LOCALHOST', '127.0.0.1', '::1']) check(host)();
});
