import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';
import words from '../../../../messages/mail/en.json' with { type: 'json' };

// Each message is looked up where it is written.
standInMessages(`(key) => () => (${JSON.stringify(words)})[key]`);
const { mailTrouble, saidByServer } = await import('./trouble.ts');

describe('why an email was not sent', () => {
  const told: [string, RegExp][] = [
    ['getaddrinfo ENOTFOUND mail.nowhere.example', /name was not found/],
    ['queryA ENOTFOUND mail.nowhere.example', /name was not found/],
    ['connect ECONNREFUSED 127.0.0.1:2525', /refused the connection/],
    ['connect ENETUNREACH 2001:db8::1:25', /cannot be reached/],
    ['connect ETIMEDOUT 203.0.113.7:25', /did not answer in time/],
    ['Greeting never received', /did not answer in time/],
    ['The operation was aborted due to timeout', /did not answer in time/],
    ['read ECONNRESET', /closed the connection/],
    ['Unexpected socket close', /closed the connection/],
    ['self-signed certificate', /encrypted connection/],
    [
      'Client network socket disconnected before secure TLS connection was established',
      /encrypted/,
    ],
    ['The mail server has a sign-in: a user name is set, and no password.', /remove the user name/],
    ['Invalid login: 535 5.7.8 Authentication failed', /user name and password/],
    ["Can't send mail - all recipients were rejected: 550 5.1.1 No such user", /refused the email/],
    [
      "Can't send mail - all recipients were rejected: 550 Sender address is not allowed",
      /does not allow this sender/,
    ],
    [
      'Message failed: 554 Message rejected: Email address is not verified',
      /does not allow this sender/,
    ],
    ['Message failed: 451 4.7.1 Greylisted, try again later', /tried again/],
  ];
  for (const [answer, sentence] of told) {
    it(`is said plainly: ${answer}`, () => assert.match(mailTrouble(answer) ?? '', sentence));
  }

  it('is left as it is where it is plain already', () => {
    assert.equal(mailTrouble('No mail server is set.'), null);
    assert.equal(mailTrouble('250 Taken, with thanks'), null);
  });
});

describe('what a server said', () => {
  it('is told apart from our words, and from those of the network', () => {
    const own: [string, string | null][] = [
      ['250 2.0.0 Ok: queued as 12AB', '250 2.0.0 Ok: queued as 12AB'],
      ['Invalid login: 535 5.7.8 Authentication failed', '535 5.7.8 Authentication failed'],
      ['Message failed: 554-No\n554 Never', '554-No\n554 Never'],
      ['The mail server has a sign-in: a user name is set, and no password.', null],
      ['No mail server is set.', null],
      ['Stored in the local mailbox, at /dev/mail.', null],
      ['connect ECONNREFUSED 127.0.0.1:2525', null],
    ];
    for (const [answer, said] of own) assert.equal(saidByServer(answer), said, answer);
  });
});
