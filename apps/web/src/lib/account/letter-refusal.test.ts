import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Failure } from '#lib/api/client.ts';
import { standingRefusal } from './email-refusal.ts';

function refused(code: string, status = 429): Failure {
  return { status, code, message: '', errors: {}, request_id: null };
}

describe('the refusal of a letter that is told', () => {
  it('stays the reason where the next press came too soon', () => {
    const reason = refused('too_many_emails');
    assert.equal(standingRefusal(reason, refused('too_many_attempts')), reason);
  });

  it('is otherwise that of the last try', () => {
    const soon = refused('too_many_attempts');
    const broken = refused('server_error', 500);
    assert.equal(standingRefusal(null, soon), soon);
    assert.equal(standingRefusal(soon, broken), broken);
    assert.equal(standingRefusal(refused('too_many_emails'), broken), broken);
    assert.equal(standingRefusal(refused('too_many_emails'), null), null);
  });
});
