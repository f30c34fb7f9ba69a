import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Currency } from '@cambist/contract/currencies';
import { bodyOf, changesOf, draftOf, emptyDraft, keyFromLabel, move } from './draft.ts';

const currency: Currency = {
  id: '0',
  slug: 'eur-sepa',
  unit: 'EUR',
  name: 'Euro',
  symbol: '€',
  channel: 'SEPA',
  kind: 'bank',
  decimals: 2,
  export_code: 'SEPAEUR',
  min_send: '10.00',
  max_send: null,
  min_receive: null,
  max_receive: '99999999999999999999.99',
  sender_fields: [],
  payout_fields: [
    { key: 'iban', label: 'IBAN', check: 'iban', required: true },
    {
      key: 'memo',
      label: 'Memo',
      check: 'pattern',
      pattern: '^[0-9]+$',
      hint: 'Digits',
      required: false,
    },
  ],
  payout_time: 'Within a day',
  payee_accounts: [
    {
      id: 'p1',
      label: 'Main',
      details: [{ label: 'IBAN', value: 'DE02' }],
      instructions: '',
      qr_template: null,
      active: true,
    },
  ],
  active: true,
  position: 3,
  version: 7,
  updated_at: '2026-11-21T00:00:00Z',
};

describe('bodyOf', () => {
  it('gives back what it was drafted from', () => {
    const { id: _id, version: _version, updated_at: _at, ...written } = currency;
    assert.deepEqual(bodyOf(draftOf(currency)), written);
  });

  it('keeps limits as exact text and takes an empty one as none', () => {
    const draft = draftOf(currency);
    draft.min_send = '';
    const body = bodyOf(draft);
    assert.equal(body.min_send, null);
    assert.equal(body.max_receive, '99999999999999999999.99');
  });

  it('sends no pattern where the check takes none', () => {
    const draft = draftOf(currency);
    const field = draft.payout_fields[1];
    assert.ok(field);
    field.check = 'text';
    assert.equal('pattern' in (bodyOf(draft).payout_fields[1] ?? {}), false);
  });

  it('does not make a number of what is none', () => {
    const draft = emptyDraft();
    draft.decimals = '1e1';
    draft.position = '';
    assert.equal(bodyOf(draft).decimals, -1);
    assert.equal(bodyOf(draft).position, -1);
  });
});

describe('changesOf', () => {
  it('leaves out what is fixed at creation', () => {
    const changes = changesOf(draftOf(currency));
    assert.deepEqual(
      ['slug', 'unit', 'decimals'].filter((name) => name in changes),
      [],
    );
  });
});

describe('keyFromLabel', () => {
  it('makes a key that the service takes', () => {
    assert.equal(keyFromLabel('Receiver’s name'), 'receivers_name');
    assert.equal(keyFromLabel('2nd Línea!'), 'nd_linea');
    assert.equal(keyFromLabel('***'), '');
  });
});

describe('move', () => {
  it('moves a step and stops at the ends', () => {
    const items = ['a', 'b', 'c'];
    move(items, 0, 1);
    assert.deepEqual(items, ['b', 'a', 'c']);
    move(items, 0, -1);
    move(items, 2, 1);
    assert.deepEqual(items, ['b', 'a', 'c']);
  });
});
