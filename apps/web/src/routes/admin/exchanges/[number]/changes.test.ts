import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeskExchangeDetail, DeskProof } from '@cambist/contract/desk';
import { changesBetween, type DeskEvent } from './changes.ts';

type Seen = Pick<DeskExchangeDetail, 'version' | 'claim' | 'proofs' | 'timeline'>;
const event = (id: number, action: string): DeskEvent => ({
  id,
  action,
  from_state: 'under_review',
  to_state: 'approved',
  by: 'operator',
  actor: 'Jonas',
  mine: false,
  reason: null,
  at: '2026-11-21T00:00:00Z',
});
const proof: DeskProof = {
  id: '0',
  name: 'a.jpg',
  content_type: 'image/jpeg',
  size_bytes: 1,
  uploaded_at: '2026-11-21T00:00:00Z',
  sha256: '',
  same_file: [],
};
const claim = { by: 'Ada', mine: true, until: '2026-11-21T00:00:00Z' };
const seen: Seen = { version: 4, claim, proofs: [], timeline: [event(1, 'claim')] };

describe('changesBetween', () => {
  it('tells the events since, in their order', () => {
    const after = {
      ...seen,
      version: 6,
      timeline: [event(1, 'claim'), event(2, 'note'), event(3, 'approve')],
    };
    const changes = changesBetween(seen, after);
    assert.deepEqual(
      changes.map((change) => change.kind === 'event' && change.event.action),
      ['note', 'approve'],
    );
  });

  it('tells of a claim that ended or was taken, where no event says so', () => {
    assert.deepEqual(changesBetween(seen, { ...seen, claim: null }), [{ kind: 'claim_ended' }]);
    assert.deepEqual(
      changesBetween(seen, { ...seen, claim: { ...claim, by: 'Jonas', mine: false } }),
      [{ kind: 'claimed', by: 'Jonas' }],
    );
  });

  it('counts new proofs', () => {
    assert.deepEqual(changesBetween(seen, { ...seen, proofs: [proof] }), [
      { kind: 'proofs', count: 1 },
    ]);
  });

  it('admits that something else changed', () => {
    assert.deepEqual(changesBetween(seen, { ...seen, version: 5 }), [{ kind: 'other' }]);
  });

  it('says nothing when nothing changed, a renewed claim included', () => {
    const renewed = { ...seen, claim: { ...claim, until: '2026-11-21T00:10:00Z' } };
    assert.deepEqual(changesBetween(seen, renewed), []);
  });
});
