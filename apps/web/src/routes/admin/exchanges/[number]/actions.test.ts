import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeskExchangeDetail, OperatorAction } from '@cambist/contract/desk';
import {
  actionsOf,
  claimedAt,
  lastTurn,
  obstacleTo,
  type DeskEvent,
  type Obstacle,
} from './actions.ts';

type Facts = Pick<DeskExchangeDetail, 'state' | 'claim' | 'allowed' | 'warnings'>;
const facts = (given: Partial<Facts>): Facts => ({
  state: 'payment_submitted',
  claim: null,
  allowed: ['note'],
  warnings: [],
  ...given,
});
const mine = { by: 'Ada', mine: true, until: '2026-11-21T00:00:00Z' };
const theirs = { by: 'Jonas', mine: false, until: '2026-11-21T00:00:00Z' };
const shown = (given: Partial<Facts>) => actionsOf(facts(given)).map(({ action }) => action);

describe('actionsOf', () => {
  it('offers what the state asks for, with a note always', () => {
    assert.deepEqual(shown({}), ['claim', 'approve', 'reject', 'note']);
    assert.deepEqual(shown({ state: 'approved' }), ['complete', 'note']);
    assert.deepEqual(shown({ state: 'completed' }), ['note']);
    assert.deepEqual(shown({ state: 'awaiting_payment' }), ['record_receipt', 'note']);
  });

  it('turns claiming into giving back while the claim is mine', () => {
    const allowed: Facts['allowed'] = ['claim', 'release', 'approve', 'reject', 'note'];
    assert.deepEqual(shown({ state: 'under_review', claim: mine, allowed }), [
      'approve',
      'reject',
      'release',
      'note',
    ]);
    assert.deepEqual(shown({ state: 'under_review', claim: theirs }), [
      'approve',
      'reject',
      'claim',
      'note',
    ]);
  });
});

describe('actions on an approved exchange', () => {
  const approved = { state: 'approved' } as const;

  it('let its holder give it back, and only its holder pay it out', () => {
    const allowed: Facts['allowed'] = ['claim', 'release', 'complete', 'note'];
    assert.deepEqual(shown({ ...approved, claim: mine, allowed }), ['complete', 'release', 'note']);
    const others = facts({ ...approved, claim: theirs });
    assert.equal(obstacleTo('complete', others), 'claimed_by_other');
    assert.equal(obstacleTo('claim', others), 'claimed_by_other');
    assert.deepEqual(shown(others), ['complete', 'note']);
  });
});

describe('obstacleTo', () => {
  const free: Facts['allowed'] = ['claim', 'note'];
  const review = { state: 'under_review' } as const;
  const own: Partial<Facts> = { warnings: ['own_exchange'] };
  const cases: [OperatorAction, Partial<Facts>, Obstacle | null][] = [
    ['claim', { allowed: free }, null],
    ['approve', { allowed: free }, 'claim_first'],
    ['reject', { allowed: free }, 'claim_first'],
    ['approve', { ...review, claim: theirs }, 'claimed_by_other'],
    ['claim', { ...review, claim: theirs }, 'claimed_by_other'],
    ['approve', { ...review, allowed: free }, 'claim_first'],
    ['approve', { ...review, ...own, claim: mine }, 'own_exchange'],
    ['complete', { state: 'approved', ...own }, 'own_exchange'],
    ['approve', { state: 'completed' }, 'not_in_this_state'],
    ['complete', {}, 'not_in_this_state'],
  ];
  for (const [action, given, expected] of cases) {
    it(`is ${expected ?? 'none'} for ${action} when ${JSON.stringify(given)}`, () => {
      assert.equal(obstacleTo(action, facts(given)), expected);
    });
  }
});

const timeline = (...actions: string[]) =>
  actions.map((action, index): DeskEvent => ({
    id: index + 1,
    action,
    from_state: null,
    to_state: 'under_review',
    by: 'operator',
    actor: 'Ada',
    mine: false,
    reason: null,
    at: `2026-11-21T00:00:0${index}.000Z`,
  }));
const last = (...actions: string[]) => lastTurn(timeline(...actions))?.action ?? null;

describe('lastTurn', () => {
  it('is what decided an exchange, not that it was once reported paid', () => {
    assert.equal(last('create', 'upload_proof', 'submit', 'claim', 'reject'), 'reject');
    assert.equal(last('create', 'submit', 'claim', 'approve', 'complete', 'note'), 'complete');
    assert.equal(last('create', 'expire'), 'expire');
  });
  it('passes over what leaves an exchange where it is', () => {
    assert.equal(last('create', 'submit', 'claim', 'note', 'release', 'upload_proof'), 'submit');
    assert.equal(last('create', 'upload_proof'), 'create');
  });
  it('knows what it does not know of, and nothing', () => {
    assert.equal(last('create', 'submit', 'ask_again'), 'ask_again');
    assert.equal(last(), null);
  });
});

describe('claimedAt', () => {
  it('is the moment of the last claim, not of the one for the review', () => {
    const events = timeline('claim', 'approve', 'claim', 'note');
    assert.equal(claimedAt(events), Date.parse('2026-11-21T00:00:02.000Z'));
  });
});
