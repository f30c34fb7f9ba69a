import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from './config.ts';
import { ConfigError } from './environment.ts';
import { parseMailFrom, parseMailServer } from './mail-server.ts';

describe('MAIL_URL', () => {
  it('is a server, with its usual port and the way to encrypt', () => {
    assert.deepEqual(parseMailServer('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      security: 'offered',
      username: '',
      password: '',
      timeoutSeconds: 10,
    });
    const tls = parseMailServer('smtps://desk%40example.com:p%23ss@mail.example.com?timeout=5');
    assert.deepEqual(
      [tls?.port, tls?.security, tls?.username, tls?.password, tls?.timeoutSeconds],
      [465, 'tls', 'desk@example.com', 'p#ss', 5],
    );
    assert.equal(parseMailServer('smtp://[::1]:2525')?.host, '::1');
  });

  it('sends a password over the network only encrypted', () => {
    assert.equal(parseMailServer('smtp://u:p@mail.example.com')?.security, 'starttls');
    assert.equal(parseMailServer('smtp://u:p@localhost')?.security, 'offered');
  });

  for (const wrong of [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/inbox',
    'smtp://u:%E0%A4%A@mail.example.com',
    'smtp://mail.example.com?timeout=0',
    'smtp://mail.example.com?timeout=soon',
  ]) {
    it(`is refused as ${wrong}`, () => assert.equal(parseMailServer(wrong), null));
  }

  it('is complained of without repeating its password', () => {
    assert.throws(
      () => readConfig({ MAIL_URL: 'http://desk:hunter2@mail.example.com' }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /^MAIL_URL must be smtp:/);
        return !error.message.includes('hunter2');
      },
    );
  });
});

describe('MAIL_URL with half of a sign-in', () => {
  for (const [url, half] of [
    ['smtp://desk@mail.example.com', 'password'],
    ['smtp://desk:@mail.example.com:2525', 'password'],
    ['smtps://:hunter2@mail.example.com', 'user'],
  ] as const) {
    it(`is refused without its ${half}, as ${url}`, () => {
      assert.throws(
        () => readConfig({ MAIL_URL: url }),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, new RegExp(`^MAIL_URL has no ${half}, .*\\.$`));
          return !/hunter2|desk@/.test(error.message);
        },
      );
    });
  }

  it('is a server with both, or with none', () => {
    assert.equal(readConfig({ MAIL_URL: 'smtp://u:p@localhost' }).mail.server?.password, 'p');
    assert.equal(readConfig({ MAIL_URL: 'smtp://:@localhost' }).mail.server?.username, '');
  });
});

describe('MAIL_FROM', () => {
  it('is an address, with a name or without', () => {
    assert.deepEqual(parseMailFrom('desk@example.com'), { name: '', address: 'desk@example.com' });
    assert.deepEqual(parseMailFrom('"Example, Desk" <desk@example.com>'), {
      name: 'Example, Desk',
      address: 'desk@example.com',
    });
  });

  it('is refused where it is none, or two', () => {
    for (const wrong of ['desk', 'a@b, c@d', 'Desk <desk>', 'Desk\n<a@b>', '<a@b> x']) {
      assert.equal(parseMailFrom(wrong), null, wrong);
    }
  });
});
