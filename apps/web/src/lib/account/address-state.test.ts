import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOtherwise } from './address-state.ts';

const shown = { id: 'a', email: 'a@desk.test', pending_email: null, email_verified_at: null };

describe('an address', () => {
  it('stands otherwise once it was proved, changed, or a change waits', () => {
    assert.equal(isOtherwise(shown, { ...shown }), false);
    assert.ok(isOtherwise(shown, { ...shown, email_verified_at: '2026-11-22T04:00:00.000Z' }));
    assert.ok(isOtherwise(shown, { ...shown, email: 'b@desk.test' }));
    assert.ok(isOtherwise(shown, { ...shown, pending_email: 'b@desk.test' }));
  });

  it('of somebody else is no news of this one', () => {
    assert.equal(isOtherwise(shown, { ...shown, id: 'b', email: 'b@desk.test' }), false);
  });
});
