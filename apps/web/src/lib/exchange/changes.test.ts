import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '@cambist/contract/exchanges';
import { arrivedProof, changesBetween, isNews } from './changes.ts';

const proof = (id: string, size_bytes = 10) => ({
  id,
  name: 'a.jpg',
  content_type: 'image/jpeg',
  size_bytes,
  uploaded_at: '2026-11-20T00:00:00Z',
});
type Look = Pick<Exchange, 'version' | 'state' | 'proofs' | 'payment_reference'>;
const look = (more: Partial<Look>): Look => ({
  version: 1,
  state: 'awaiting_payment',
  proofs: [],
  payment_reference: null,
  ...more,
});

describe('changesBetween', () => {
  it('names state, proofs and reference', () => {
    const after = look({
      version: 3,
      state: 'under_review',
      proofs: [proof('1'), proof('2')],
      payment_reference: 'X',
    });
    assert.deepEqual(changesBetween(look({ proofs: [proof('1')] }), after), [
      { kind: 'state', state: 'under_review' },
      { kind: 'proofs', added: 1 },
      { kind: 'payment_reference', reference: 'X' },
    ]);
  });
  it('still says something when only the version rose, and nothing when nothing did', () => {
    assert.deepEqual(changesBetween(look({}), look({ version: 2 })), [{ kind: 'version' }]);
    assert.deepEqual(changesBetween(look({}), look({})), []);
  });
});

describe('arrivedProof', () => {
  it('recognises a new proof by its size, not one that was there before', () => {
    assert.equal(arrivedProof(look({}), look({ proofs: [proof('1', 77)] }), 77), true);
    assert.equal(arrivedProof(look({}), look({ proofs: [proof('1', 76)] }), 77), false);
    assert.equal(
      arrivedProof(look({ proofs: [proof('1', 77)] }), look({ proofs: [proof('1', 77)] }), 77),
      false,
    );
  });
});

describe('isNews', () => {
  it('takes a look at the same version too: a proof from another tab leaves it', () => {
    assert.equal(isNews(2, { version: 2 }), true);
    assert.equal(isNews(3, { version: 2 }), true);
    assert.equal(isNews(undefined, { version: 2 }), true);
  });
  it('passes over what is older than what is shown', () => {
    assert.equal(isNews(1, { version: 2 }), false);
  });
});
