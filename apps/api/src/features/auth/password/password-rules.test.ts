import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPasswordErrors } from './password-rules.ts';

const context = { name: 'Zoë Marlow', email: 'zoe.marlow@example.com', siteName: 'Cambist' };
const errorOf = async (password: string, of = context) =>
  (await newPasswordErrors({ password }, of)).password;

describe('a new password', () => {
  for (const [reason, passwords] of [
    [
      /easy to guess/,
      [
        'password1',
        '87654321',
        'Summer2026!',
        'P@ssw0rd123!',
        'Bayern1900!',
        'Azerty987',
        'thisismypassword',
        'zzzzzzzz',
        '20002000',
        '1234512345',
        'ßüöäßüöä',
        'a'.repeat(100),
        'passphrase'.repeat(20),
        'abcdefgh',
        'dfghjkl;',
        'Qwertz123!',
        'абвгдежз',
      ],
    ],
    [
      /too close/,
      [
        'zoe.marlow',
        'ZoëMarlow',
        'zoë marlow 1987',
        'zoe.marlow@example.com',
        'marlowmarlow',
        'Cambist2026',
        'cambist-marlow',
        'Marlow!1987',
      ],
    ],
  ] as const)
    for (const password of passwords)
      it(`is refused as ${reason.source}: ${password}`, async () => {
        assert.match((await errorOf(password)) ?? '', reason);
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
});
