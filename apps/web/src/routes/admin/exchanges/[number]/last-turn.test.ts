import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeskEvent } from './changes.ts';
import { lastTurn } from './last-turn.ts';

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
