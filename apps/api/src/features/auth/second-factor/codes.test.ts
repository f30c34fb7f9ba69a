/** Codes as users type or paste them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { openKeys } from '#platform/security/keys.ts';
import { codeAt } from '#test/factories/second-factor.ts';
import { hashRecoveryCode, newTotpSecret, totpStepOf } from './codes.ts';

/** In the digits of another script. */
const inDigits = (code: string, zero: string) =>
  code.replaceAll(/\d/g, (digit) =>
    String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)),
  );

describe('a code of an authenticator app', () => {
  const secret = newTotpSecret();
  const now = new Date();
  const code = codeAt(secret, now);
  const isRight = (typed: string) => totpStepOf(secret, typed, now) !== null;

  it('is read in the digits of Arabic, Persian and full-width keyboards', () => {
    for (const zero of ['٠', '۰', '０']) {
      assert.ok(isRight(inDigits(code, zero)), zero);
    }
  });

  it('is read past spaces, dashes, points and invisible characters', () => {
    const marks = [' ', '\u00a0', '-', '\u2011', '–', '−', '.', '．', '\u200e', '\u200b'];
    for (const mark of marks) {
      assert.ok(isRight(`${mark}${code.slice(0, 3)}${mark}${code.slice(3)}`), mark);
    }
  });

  it('is invalid with other characters', () => {
    const others = [code.slice(1), `${code}0`, `${code}a`, `${code.slice(0, 3)}/${code.slice(3)}`];
    for (const other of others) assert.ok(!isRight(other), other);
  });
});

describe('a recovery code', () => {
  const keys = openKeys(randomBytes(32));
  const hash = (typed: string) => hashRecoveryCode(keys, 'one', typed).toString('hex');
  const shown = hash('2bcd-efgh-jkm9');

  it('is read as it was printed, copied or listed', () => {
    for (const typed of [
      ' 2BCD EFGH JKM9 ',
      '2bcd–efgh—jkm9',
      '\u200e2bcd\u2011efgh\u2212jkm9',
      '２ｂｃｄ－ｅｆｇｈ－ｊｋｍ９',
      '1. 2bcd-efgh-jkm9',
      '10. 2bcd-efgh-jkm9',
    ]) {
      assert.equal(hash(typed), shown, typed);
    }
  });

  it('differs from any other code', () => {
    for (const other of ['bcd-efgh-jkm9', '2bcd-efgh-jkm9 2', 'a 2bcd-efgh-jkm9']) {
      assert.notEqual(hash(other), shown, other);
    }
  });
});
