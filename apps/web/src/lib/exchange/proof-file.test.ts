import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fileSize,
  isFull,
  maxProofBytes,
  pastedName,
  proofFault,
  proofKind,
} from './proof-file.ts';

const file = (name: string, type: string, size = 1000) => ({ name, type, size });

describe('proofFault', () => {
  it('accepts the four kinds by type, or by name where the browser has no type', () => {
    assert.equal(proofFault(file('a.jpg', 'image/jpeg')), null);
    assert.equal(proofFault(file('a', 'image/png')), null);
    assert.equal(proofFault(file('a.webp', 'image/webp')), null);
    assert.equal(proofFault(file('Receipt.PDF', '')), null);
    assert.equal(proofKind(file('Receipt.PDF', '')), 'pdf');
  });
  it('refuses what the API would refuse', () => {
    assert.equal(proofFault(file('a.heic', 'image/heic')), 'wrong_type');
    assert.equal(proofFault(file('a.svg', 'image/svg+xml')), 'wrong_type');
    assert.equal(proofFault(file('a.exe', '')), 'wrong_type');
    assert.equal(proofFault(file('a.pdf', 'text/html')), 'wrong_type');
    assert.equal(proofFault(file('a.jpg', 'image/jpeg', 0)), 'empty');
  });
  it('accepts exactly 5 MB and not a byte more', () => {
    assert.equal(proofFault(file('a.jpg', 'image/jpeg', maxProofBytes)), null);
    assert.equal(proofFault(file('a.jpg', 'image/jpeg', maxProofBytes + 1)), 'too_large');
  });
});

describe('fileSize', () => {
  it('rounds up, so that a file over the limit never reads as 5 MB', () => {
    assert.equal(fileSize(maxProofBytes, 'en'), '5 MB');
    assert.equal(fileSize(maxProofBytes + 1, 'en'), '5.01 MB');
    assert.equal(fileSize(830_000, 'en'), '811 kB');
  });
});

describe('pastedName', () => {
  it('contains the time and ends in the type', () => {
    const now = new Date('2026-11-20T23:41:05.123Z');
    assert.equal(pastedName('image/jpeg', now), 'pasted-20261120-234105.jpg');
    assert.equal(pastedName('image/png', now), 'pasted-20261120-234105.png');
  });
});

describe('isFull', () => {
  const proof = {
    id: '1',
    name: 'a.jpg',
    content_type: 'image/jpeg',
    size_bytes: 1,
    uploaded_at: '2026-11-20T00:00:00Z',
  };
  const proofs = (count: number) => Array.from({ length: count }, () => proof);

  it('is true when only the number of files is the obstacle', () => {
    assert.equal(isFull({ state: 'awaiting_payment', proofs: proofs(5) }), true);
    assert.equal(isFull({ state: 'under_review', proofs: proofs(5) }), true);
    assert.equal(isFull({ state: 'awaiting_payment', proofs: proofs(4) }), false);
    assert.equal(isFull({ state: 'approved', proofs: proofs(5) }), false);
    assert.equal(isFull({ state: 'expired', proofs: proofs(5) }), false);
  });
});
