import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages(
  "(key) => (inputs = {}) => [inputs.name, key, inputs.subject, inputs.permissions].filter(Boolean).join('|')",
);
const { actorName, sentenceOf } = await import('./sentences.ts');

describe('the sentence of an event', () => {
  it('keeps places for who did it and to whom, so no name is mixed with its words', () => {
    assert.deepEqual(sentenceOf({ action: 'users.role_changed' }), [
      'actor',
      { words: '|people_did_user_role_changed|' },
      'subject',
    ]);
    assert.deepEqual(sentenceOf({ action: 'auth.signin' }), [
      'actor',
      { words: '|people_did_signin|' },
      'subject',
    ]);
  });

  it('tells what it has no words for by its own name', () => {
    assert.deepEqual(sentenceOf({ action: 'later.was_done' }), [
      'actor',
      { words: ': later was done' },
    ]);
  });

  it('calls the service what no customer’s row is called without an address', () => {
    const called = (actor_kind: 'guest' | 'system' | 'user') =>
      actorName({ actor_kind, actor_name: null });
    assert.equal(new Set([called('guest'), called('system'), called('user')]).size, 3);
  });
});
