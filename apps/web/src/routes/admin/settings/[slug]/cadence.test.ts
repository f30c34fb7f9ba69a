import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GroupDraft } from '#lib/console/schema-form/draft.ts';
import { cadenceFaults } from './cadence.ts';

function draft(provider: GroupDraft, more: GroupDraft = {}): GroupDraft {
  const value = {
    name: 'fixer',
    feed: 'daily',
    monthly_quota: '',
    cadence_hours: '8',
    ...provider,
  };
  return {
    providers: [{ row: 1, value }],
    delayed_minutes: '600',
    stale_minutes: '1000',
    max_age_hours: { hourly: '3', daily: '26', central_bank: '120' },
    ...more,
  };
}

describe('the warnings of a cadence', () => {
  it('are none where rates may be as old as that', () => {
    assert.deepEqual(cadenceFaults(draft({})), []);
    assert.deepEqual(cadenceFaults(draft({}, { delayed_minutes: '481' })), []);
  });

  it('name what its rates would be between two requests, the gravest only', () => {
    const of = (provider: GroupDraft, more?: GroupDraft) =>
      cadenceFaults(draft(provider, more)).map((fault) => [
        fault.kind,
        'limit' in fault && fault.limit,
      ]);
    assert.deepEqual(of({}, { delayed_minutes: '480' }), [['delayed', 480]]);
    assert.deepEqual(of({}, { stale_minutes: '480' }), [['stale', 480]]);
    assert.deepEqual(of({ cadence_hours: '3', feed: 'hourly' }), [['age', 3]]);
    assert.deepEqual(of({}, { delayed_minutes: '90', stale_minutes: '180' }), [['stale', 180]]);
    assert.deepEqual(of({ feed: 'hourly' }), [['age', 3]]);
    assert.deepEqual(of({ cadence_hours: '1', feed: 'hourly' }), []);
    assert.deepEqual(of({ cadence_hours: '1' }, { delayed_minutes: '30' }), [['delayed', 30]]);
  });

  it('tell of a plan that does not last, and with what it would', () => {
    const [fault] = cadenceFaults(draft({ monthly_quota: '100', cadence_hours: '6' }));
    assert.deepEqual(fault, {
      kind: 'quota',
      name: 'fixer',
      needed: 124,
      plan: 100,
      fitting: 8,
    });
    assert.deepEqual(cadenceFaults(draft({ monthly_quota: '93' })), []);
    const [short] = cadenceFaults(draft({ monthly_quota: '30' }));
    assert.equal(short?.kind === 'quota' && short.fitting, null);
  });

  it('wait for figures that are still being typed', () => {
    const typing = draft({ monthly_quota: '1e2' }, { stale_minutes: '', delayed_minutes: '-' });
    assert.deepEqual(cadenceFaults(typing), []);
  });
});
