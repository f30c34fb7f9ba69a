import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quarantineReasons } from '@cambist/contract/rate-quarantine';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages(
  "(key) => (inputs = {}) => [inputs.name, key, inputs.subject, inputs.permissions].filter(Boolean).join('|')",
);
const { actorName, reasonOf, sentenceOf } = await import('./words.ts');

describe('the sentence of an event', () => {
  it('keeps places for who did it and to whom, so no name is mixed with its words', () => {
    assert.deepEqual(sentenceOf({ action: 'users.role_changed' }), [
      'actor',
      { words: ' changed the role of ' },
      'subject',
    ]);
    assert.deepEqual(sentenceOf({ action: 'auth.signin' }), ['actor', { words: ' signed in' }]);
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

const ofRate = (reason: string) => reasonOf({ subject_kind: 'rate', data: { reason } });

describe('the reason of an event', () => {
  it('is quoted where somebody typed it', () => {
    const event = { subject_kind: 'user', data: { reason: 'jump' } };
    assert.equal(reasonOf(event), '“jump”');
  });

  it('is told in words of a rate that waited', () => {
    for (const each of quarantineReasons) assert.equal(ofRate(each), `people_audit_rate_${each}`);
  });

  it('is left out where there is none, or no words for it', () => {
    assert.equal(reasonOf({ subject_kind: 'rate', data: {} }), null);
    assert.equal(ofRate('constructor'), null);
  });
});
