import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { actionsOf, claimedAt, lastTurn, obstacleTo, type DeskEvent } from './actions.ts';

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
    assert.deepEqual(shown({ state: 'awaiting_payment' }), ['note']);
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

describe('claimedAt', () => {
  it('is the moment of the last claim, not of the one for the review', () => {
    const event = (action: string, at: string): DeskExchangeDetail['timeline'][number] => ({
      id: 1,
      action,
      from_state: 'approved',
      to_state: 'approved',
      by: 'operator',
      actor: 'Jonas',
      mine: false,
      reason: null,
      at,
    });
    const review = event('claim', '2026-11-21T00:00:00Z');
    const payout = event('claim', '2026-11-21T01:00:00Z');
    const timeline = [review, event('approve', '2026-11-21T00:30:00Z'), payout];
    assert.equal(
      claimedAt([...timeline, event('note', '2026-11-21T02:00:00Z')]),
      Date.parse(payout.at),
    );
  });
});

describe('obstacleTo', () => {
  it('is none where the service allows it', () => {
    assert.equal(obstacleTo('claim', facts({ allowed: ['claim', 'note'] })), null);
  });

  it('says that the exchange must be claimed first', () => {
    assert.equal(obstacleTo('approve', facts({ allowed: ['claim', 'note'] })), 'claim_first');
    assert.equal(obstacleTo('reject', facts({ allowed: ['claim', 'note'] })), 'claim_first');
  });

  it("says that it is another's", () => {
    const given = facts({ state: 'under_review', claim: theirs });
    assert.equal(obstacleTo('approve', given), 'claimed_by_other');
    assert.equal(obstacleTo('claim', given), 'claimed_by_other');
  });

  it('says that a claim has lapsed', () => {
    const given = facts({ state: 'under_review', allowed: ['claim', 'note'] });
    assert.equal(obstacleTo('approve', given), 'claim_lapsed');
  });

  it('says that nobody decides their own exchange', () => {
    const own = facts({ state: 'under_review', claim: mine, warnings: ['own_exchange'] });
    assert.equal(obstacleTo('approve', own), 'own_exchange');
    const toPay = facts({ state: 'approved', warnings: ['own_exchange'] });
    assert.equal(obstacleTo('complete', toPay), 'own_exchange');
  });

  it('says that the state does not take it', () => {
    assert.equal(obstacleTo('approve', facts({ state: 'completed' })), 'not_in_this_state');
    assert.equal(obstacleTo('complete', facts({})), 'not_in_this_state');
  });
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
