import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPasswordErrors } from './password-rules.ts';

const context = { name: 'Zoë Marlow', email: 'zoe.marlow@example.com', siteName: 'Cambist' };
const errorOf = async (password: string, of = context) =>
  (await newPasswordErrors({ password }, of)).password;

describe('a new password', () => {
  for (const password of [
    'password1',
    '87654321',
    'PASSWORD1',
    'qwertyuiop',
    '1q2w3e4r5t',
    'football1',
    'Summer2026',
    'Summer2026!',
    'Password1!',
    'P@ssw0rd123!',
    'Liverpool1',
    'Bayern1900!',
    'Azerty987',
    'lkjhgfdsa!',
    'thisismypassword',
  ])
    it(`is refused as easy to guess: ${password}`, async () => {
      assert.match((await errorOf(password)) ?? '', /easy to guess/);
    });

  for (const password of [
    'zoe.marlow',
    'ZoëMarlow',
    'zoë marlow 1987',
    'zoe.marlow@example.com',
    'marlowmarlow',
    'Cambist2026',
    '2026-cambist-2026',
    'cambist-marlow',
    'Marlow!1987',
  ])
    it(`is refused as too close to the account: ${password}`, async () => {
      assert.match((await errorOf(password)) ?? '', /too close/);
    });

  for (const password of [
    '00000000',
    'zzzzzzzz',
    ' '.repeat(8),
    'abcabcabc',
    '20002000',
    'hoardhoard',
    '1234512345',
    'ccccvvvv',
    'ßüöäßüöä',
    'a'.repeat(100),
    'passphrase'.repeat(20),
  ])
    it(`is refused as a repetition: ${JSON.stringify(password)}`, async () => {
      assert.match((await errorOf(password)) ?? '', /repeats/);
    });

  for (const password of [
    'abcdefgh',
    '98765432',
    'hgfedcba',
    'abcdefgh1',
    '2345bcde',
    'dfghjkl;',
    'wertyuio',
    'qwertz123',
    'Qwertz123!',
    'абвгдежз',
  ])
    it(`is refused as a sequence: ${password}`, async () => {
      assert.match((await errorOf(password)) ?? '', /sequence of letters/);
    });

  for (const password of [
    'correct horse battery staple',
    'my cambist hoard of gold',
    'zoe likes long walks',
    'ßüöäçéñø',
    '83619027451',
    'kq7!vz2m',
    'abc has 3 emails',
    '111 days in 1999',
    ' leading and trailing ',
    'lamp river tiger spoon',
    'qmzhtrwpxk',
    `lamp river tiger spoon ${'and so on '.repeat(17)}`,
  ])
    it(`is accepted: ${password}`, async () => {
      assert.equal(await errorOf(password), undefined);
    });

  it('is checked in bounded time against a name of repeated words', async () => {
    const name = 'aaa aaaa aaaaa aaaaaa aaaaaaa';
    // A backtracking regular expression would not finish.
    assert.notEqual(await errorOf(`${'a'.repeat(199)}!b`, { ...context, name }), undefined);
  });
});
