import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPath, readAuditQuery, without } from './audit-query.ts';

const read = (query: string) => readAuditQuery(new URLSearchParams(query));
const actor_id = '01920000-0000-7000-8000-000000000001';

describe('the filters of the audit log', () => {
  it('come back as they were written', () => {
    const query = { actor_id, action: 'auth.', from: '2026-11-01', to: '2026-11-20' };
    assert.deepEqual(read(new URL(auditPath(query), 'http://desk').search), query);
    const subject = { subject_kind: 'exchange', subject_id: 'CX-7F3K-92QD' };
    assert.deepEqual(read(new URL(auditPath(subject), 'http://desk').search), subject);
  });

  it('leave out what the service would refuse', () => {
    assert.deepEqual(read(`actor_id=me&from=2026-02-30&to=&action=${'a'.repeat(81)}`), {});
  });

  it('can be taken away one by one', () => {
    const query = { actor_id, action: 'auth.' };
    assert.equal(auditPath(without(query, 'action')), `/admin/audit?actor_id=${actor_id}`);
    assert.equal(auditPath(without(query, 'actor_id', 'action')), '/admin/audit');
  });
});
