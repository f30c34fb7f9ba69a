import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillTemplate, sampleOf } from './qr-template.ts';

describe('sampleOf', () => {
  it('has the decimals of the currency', () => {
    assert.equal(sampleOf('2').amount, '100.00');
    assert.equal(sampleOf('2').amount_minor, '10000');
    assert.equal(sampleOf('0').amount, '100');
    assert.equal(sampleOf('18').amount_minor, `100${'0'.repeat(18)}`);
  });

  it('survives what is no number of decimals yet', () => {
    assert.equal(sampleOf('').amount, '100');
    assert.equal(sampleOf('99').amount_minor.length, 21);
  });
});

describe('fillTemplate', () => {
  it('fills each place as often as it stands there', () => {
    assert.equal(
      fillTemplate('bitcoin:bc1q?amount={amount}&label={reference}&again={amount}', sampleOf('2')),
      'bitcoin:bc1q?amount=100.00&label=7F3K92QD&again=100.00',
    );
  });

  it('leaves places alone that it does not know', () => {
    assert.equal(fillTemplate('{wish} {amount_minor} {}', sampleOf('1')), '{wish} 1000 {}');
  });
});
