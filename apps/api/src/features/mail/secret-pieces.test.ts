import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutLinks, withoutPieces, withoutSignIn } from './secret-pieces.ts';

const SECRET = 'eyJ1c2VyIjoiNmY5Yz-YxZTgtNzE2Yi00_mQ3Yy1hM2Y4.9Gd0xk3nQ';

describe('a letter\u2019s secret in the words of a server', () => {
  it('is hidden whole', () => {
    assert.equal(
      withoutPieces(`554 spam: /x?token=${SECRET}`, SECRET),
      '554 spam: /x?token=[secret]',
    );
  });

  it('is hidden in the pieces that quoted-printable makes of it', () => {
    const said = `554 spam: token=3D${SECRET.slice(0, 30)}=\r\n${SECRET.slice(30)}`;
    const clean = withoutPieces(said, SECRET);
    for (let at = 0; at + 12 <= SECRET.length; at += 1) {
      assert.ok(!clean.includes(SECRET.slice(at, at + 12)), clean);
    }
    assert.match(clean, /^554 spam: token=\[secret\]/);
  });

  it('leaves all other words alone', () => {
    const said = '550 5.1.1 <a-very-long-mailbox-name@example.com>: User unknown';
    assert.equal(withoutPieces(said, SECRET), said);
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

describe('the words about a letter whose secret is not kept', () => {
  it('hold no address of a page, no token and nothing that could be a part of one', () => {
    for (const [said, clean] of [
      [`554 spam: <https://desk.test/x?token=${SECRET}> found`, '554 spam: [link] found'],
      ['554 desk.test/unsubscribe/abc or www.desk.test', '554 [link] or [link]'],
      [`554 token%3D${SECRET}`, '554 [link]'],
      [`554 ?token=3Dabc=\r\n${SECRET.slice(-8)} is bad`, '554 [link] is bad'],
      [`554 (${'a_b-'.repeat(5)})`, '554 ([secret])'],
    ] as const) {
      assert.equal(withoutLinks(said), clean);
    }
  });

  it('stay as they are otherwise', () => {
    const said = '550 5.1.1 <ana@example.com>: User unknown in virtual mailbox table (#5.1.1)';
    assert.equal(withoutLinks(said), said);
  });
});
