import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStep, stepFor, stepIndex } from './steps.ts';

const nothing = { priced: false, answered: false, ordered: false };

describe('stepFor', () => {
  it('never goes beyond what is complete', () => {
    assert.equal(stepFor('review', nothing), 'amounts');
    assert.equal(stepFor('details', nothing), 'amounts');
    assert.equal(stepFor('review', { ...nothing, priced: true }), 'details');
    assert.equal(stepFor('review', { priced: true, answered: true, ordered: false }), 'review');
  });
  it('goes back freely', () => {
    const settled = { priced: true, answered: true, ordered: false };
    assert.equal(stepFor('amounts', settled), 'amounts');
    assert.equal(stepFor('details', settled), 'details');
  });
  it('stays on the review while an order is pending', () => {
    for (const asked of ['amounts', 'details', 'review'] as const) {
      assert.equal(stepFor(asked, { ...nothing, ordered: true }), 'review');
    }
  });
  it('starts at the amounts when the address names no step', () => {
    assert.equal(parseStep(null), 'amounts');
    assert.equal(parseStep('pay'), 'amounts');
    assert.equal(parseStep('details'), 'details');
  });
});

describe('stepIndex', () => {
  const proof = {
    id: 'p',
    name: 'a.jpg',
    content_type: 'image/jpeg',
    size_bytes: 1,
    uploaded_at: '',
  };
  it('moves from paying to the proof, and on when the payment is submitted', () => {
    assert.equal(stepIndex({ state: 'awaiting_payment', proofs: [], evidence: 'proof' }), 3);
    assert.equal(stepIndex({ state: 'awaiting_payment', proofs: [proof], evidence: 'proof' }), 4);
    assert.equal(stepIndex({ state: 'awaiting_payment', proofs: [], evidence: 'reference' }), 4);
    assert.equal(stepIndex({ state: 'under_review', proofs: [proof], evidence: 'proof' }), 5);
    assert.equal(stepIndex({ state: 'completed', proofs: [proof], evidence: 'proof' }), 6);
  });
});
