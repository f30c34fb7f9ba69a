/** The audit log's only way in is to read it; other features write to it through its door. */
import { listAuditEvents } from '@cambist/contract/audit';
import type { Feature } from '#platform/feature.ts';
import { readLog } from './log.ts';

export const audit: Feature = {
  name: 'audit',
  routes({ admin }, { db }) {
    admin.serve(listAuditEvents, ({ query }) => readLog(db, query));
  },
};
