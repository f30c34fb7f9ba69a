import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quarantineReasons } from '@cambist/contract/rate-quarantine';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { reasonOf } = await import('./reason.ts');

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
