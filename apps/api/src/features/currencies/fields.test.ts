import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { FieldJson } from '#platform/db/json-columns.ts';
import { Refusal } from '#kernel/refusal.ts';
import { readCardNumber, readIban } from '@cambist/contract/account-numbers';
import { readAddress } from './address.ts';
import { checkAllAnswers } from './fields.ts';
import { keccak256 } from './keccak.ts';
import { matchesPattern, patternError } from './pattern.ts';

/** Every text with one other character of the alphabet. */
function mistyped(text: string, alphabet: string): string[] {
  return [...text].flatMap((character, at) =>
    [...alphabet]
      .filter((other) => other !== character)
      .map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  );
}

const HANGS_MS = 10_000;

describe('an IBAN', () => {
  // Examples of the IBAN registry.
  const valid = [
    'DE89 3704 0044 0532 0130 00',
    'GB29 NWBK 6016 1331 9268 19',
    'fr14 2004 1010 0505 0001 3M02 606',
    'KW81CBKU0000000000001234560101',
    'MT84MALT011000012345MTLCAST001S',
    'NO93 8601 1117 947',
  ];

  it('is accepted with and without spaces and normalised to capitals without', () => {
    for (const iban of valid) assert.equal(readIban(iban), iban.replaceAll(' ', '').toUpperCase());
  });

  it('is refused with any one digit mistyped', () => {
    for (const other of mistyped('DE89370400440532013000', '0123456789').slice(18))
      assert.equal(readIban(other), null, other);
  });

  it('is refused at a length that is not its country’s, or from no country', () => {
    for (const text of ['DE8937040044053201300', 'ZZ89370400440532013000', 'DE', '', 'GB29-']) {
      assert.equal(readIban(text), null);
    }
  });
});

describe('a card number', () => {
  it('is taken with spaces and refused with any digit mistyped', () => {
    assert.equal(readCardNumber('4111 1111 1111 1111'), '4111111111111111');
    assert.equal(readCardNumber('5555-5555-5555-4444'), '5555555555554444');
    for (const other of mistyped('4111111111111111', '0123456789'))
      assert.equal(readCardNumber(other), null);
    assert.equal(readCardNumber('411'), null);
  });
});

describe('an address', () => {
  const valid = [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    // EIP-55's own examples.
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ];

  it('is taken as it was written', () => {
    for (const address of valid) assert.equal(readAddress(` ${address} `), address);
  });

  it('is refused when a character is mistyped, in each kind that carries a checksum', () => {
    const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
    for (const other of mistyped('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', base58).slice(57)) {
      assert.equal(readAddress(other), null, other);
    }
    for (const other of mistyped('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', bech32).slice(
      31 * 3,
    )) {
      if (other.startsWith('bc1')) assert.equal(readAddress(other), null, other);
    }
    assert.equal(readAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'), null);
    assert.equal(readAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA'), null);
  });

  it('knows Keccak-256 from SHA-3', () => {
    const digest = keccak256(Buffer.alloc(0)).toString('hex');
    assert.equal(digest, 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  });
});

describe('a pattern that an admin writes', () => {
  it('is taken where it is plain', () => {
    for (const pattern of [
      '^T[1-9A-HJ-NP-Za-km-z]{33}$',
      '[0-9]{10}',
      '[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?',
      '\\d{2}-\\d{2}-\\d{2}',
      '(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,59}',
      '.+@.+',
    ]) {
      assert.equal(patternError(pattern), null, pattern);
    }
  });

  it('is refused where it could keep the process busy, or is none', () => {
    for (const pattern of [
      '(a+)+',
      '(a|a)*',
      '(a|aa){1,30}',
      'a*a*a*a*',
      '((a?){9})*',
      '(?=a)a',
      '\\1',
      '(?<n>a)',
      'a+?',
      '(a',
      'a)',
      '[z-a]',
      '[',
      'x{1000}',
      '\\p{L}',
    ]) {
      assert.notEqual(patternError(pattern), null, pattern);
    }
  });

  it('always ends, whatever was taken', () => {
    const atom = fc.constantFrom('a', '[ab]', '.', '(a)', '(ab)', '(a|b)', '(a?)');
    const count = fc.constantFrom('', '?', '+', '*', '{2}', '{1,3}');
    const pattern = fc.array(
      fc.tuple(atom, count).map(([one, times]) => one + times),
      { maxLength: 8 },
    );
    const hostile = 'a'.repeat(299) + '!';
    fc.assert(
      fc.property(pattern, (parts) => {
        const text = parts.join('');
        if (patternError(text) !== null) return;
        // A backtracking pattern would not terminate; this makes it throw.
        const run = () => matchesPattern(text, hostile);
        runInNewContext('run()', { run }, { timeout: HANGS_MS });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the answers to a currency’s fields', () => {
  const fields: FieldJson[] = [
    { key: 'holder', label: 'Account holder', check: 'name', required: true },
    { key: 'iban', label: 'IBAN', check: 'iban', required: true },
    { key: 'phone', label: 'Phone', check: 'phone', required: false },
    { key: 'email', label: 'Email', check: 'email', required: false },
    {
      key: 'sort_code',
      label: 'Sort code',
      check: 'pattern',
      pattern: '[0-9]{2}-[0-9]{2}-[0-9]{2}',
      required: false,
    },
    {
      key: 'address',
      label: 'Address',
      check: 'address',
      pattern: 'T[0-9A-Za-z]{33}',
      required: false,
    },
    { key: 'note', label: 'Note', check: 'text', required: false },
  ];
  const good = { holder: 'Zoë  Marlow-Okafor', iban: 'de89 3704 0044 0532 0130 00' };

  const none = { fields: [], answers: {} };
  const check = (answers: Record<string, string>) => checkAllAnswers({ fields, answers }, none);

  function errorsOf(answers: Record<string, string>): Record<string, readonly string[]> {
    try {
      check(answers);
      return {};
    } catch (error) {
      assert.ok(error instanceof Refusal);
      assert.equal(error.status, 422);
      return error.detail.errors ?? {};
    }
  }

  it('are stored by label, in the fields’ order, normalised', () => {
    const { payout_fields: lines } = check({ phone: '+44 (20) 7946-0000', ...good, note: '' });
    assert.deepEqual(lines, [
      { label: 'Account holder', value: 'Zoë Marlow-Okafor' },
      { label: 'IBAN', value: 'DE89370400440532013000' },
      { label: 'Phone', value: '+442079460000' },
    ]);
  });

  it('are refused by field, with a sentence that says what to do', () => {
    assert.deepEqual(errorsOf({ holder: ' ', iban: 'DE00 3704 0044 0532 0130 00', shoe: '42' }), {
      'payout_fields.holder': ['The Account holder is required.'],
      'payout_fields.iban': ['The IBAN is not a valid IBAN; please check for a typing mistake.'],
      'payout_fields.shoe': ['The field shoe does not exist here.'],
    });
    assert.deepEqual(
      Object.keys(
        errorsOf({
          ...good,
          phone: '12',
          email: 'nowhere',
          sort_code: '12-34-5',
          address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          note: 'x'.repeat(301),
        }),
      ),
      [
        'payout_fields.phone',
        'payout_fields.email',
        'payout_fields.sort_code',
        'payout_fields.address',
        'payout_fields.note',
      ],
    );
  });

  it('hide nothing from the operator who pays out', () => {
    const unseen = ['\u202e', '\u2066', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u3164'];
    for (const hidden of [...unseen, '\u{e0041}', '\u2028', '\n', '\u0000', '\u200c\u200c']) {
      assert.ok(
        errorsOf({ ...good, note: `to${hidden}me` })['payout_fields.note'],
        JSON.stringify(hidden),
      );
      assert.ok(errorsOf({ ...good, holder: `A${hidden}B` })['payout_fields.holder']);
    }
    for (const holder of [
      '\u200cAlex',
      'Alex\u200d',
      'Alex \u200cMarlow',
      '\u200c\u200d',
      '\u3164\u3164',
    ]) {
      assert.ok(errorsOf({ ...good, holder })['payout_fields.holder'], JSON.stringify(holder));
    }
  });

  it('may be spelt with joiners inside of a word, as Persian and Indic names are', () => {
    for (const holder of ['علی\u200cرضا', 'می\u200cنا رضایی', 'श्री\u200dराम', 'क्\u200dषमा']) {
      assert.deepEqual(errorsOf({ ...good, holder }), {}, holder);
    }
  });

  it('of both parts are judged together', () => {
    const [holder] = fields;
    assert.ok(holder);
    assert.throws(
      () =>
        checkAllAnswers(
          { fields: [holder], answers: {} },
          { fields: [{ ...holder, key: 'sender', label: 'Sender' }], answers: {} },
        ),
      (error: unknown) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual(Object.keys(error.detail.errors ?? {}), [
          'payout_fields.holder',
          'sender_fields.sender',
        ]);
        return true;
      },
    );
  });
});
