import { listAuditEvents } from '@cambist/contract/audit';
import type { Feature } from '#platform/feature.ts';
import { readLog } from './log.ts';

export const audit: Feature = {
  name: 'audit',
  routes({ admin }, { db }) {
    admin.serve(listAuditEvents, ({ query }) => readLog(db, query));
  },
};
