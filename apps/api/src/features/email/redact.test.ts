import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutSecret, withoutSignIn } from './redact.ts';

const SECRET = 'eyJ1c2VyIjoiNmY5Yz-YxZTgtNzE2Yi00_mQ3Yy1hM2Y4.9Gd0xk3nQ';

describe('the secret of an email in the answer of a server', () => {
  it('is hidden whole', () => {
    assert.equal(
      withoutSecret(`554 spam: /x?token=${SECRET}`, SECRET),
      '554 spam: /x?token=[secret]',
    );
  });

  it('is hidden in the pieces that quoted-printable makes of it', () => {
    const said = `554 spam: token=3D${SECRET.slice(0, 30)}=\r\n${SECRET.slice(30)}`;
    const clean = withoutSecret(said, SECRET);
    for (let at = 0; at + 12 <= SECRET.length; at += 1) {
      assert.ok(!clean.includes(SECRET.slice(at, at + 12)), clean);
    }
    assert.match(clean, /^554 spam: token=\[secret\]/);
  });

  it('leaves all other words alone', () => {
    const said = '550 5.1.1 <a-very-long-mailbox-name@example.com>: User unknown';
    assert.equal(withoutSecret(said, SECRET), said);
  });
});

describe('what the desk signs in with', () => {
  const signIn = { username: 'desk', password: 'correct+horse/battery' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('is hidden plainly and as it was sent', () => {
    for (const said of [
      signIn.password,
      base64(signIn.password),
      base64(`\0${signIn.username}\0${signIn.password}`),
      base64(signIn.username),
      signIn.username,
    ])
      assert.equal(withoutSignIn(`535 no: ${said}!`, signIn), '535 no: [secret]!');
    const half = base64(`\0${signIn.username}\0${signIn.password}`).slice(0, 24);
    assert.equal(withoutSignIn(`501 cannot decode ${half}`, signIn), '501 cannot decode [secret]');
  });

  it('leaves words alone that hold the user name, and all where nobody signs in', () => {
    const said = '550 5.7.1 desk@example.com, helpdesk and desk-2: rejected';
    assert.equal(withoutSignIn(said, signIn), said);
    assert.equal(withoutSignIn(said, { username: '', password: '' }), said);
  });
});
