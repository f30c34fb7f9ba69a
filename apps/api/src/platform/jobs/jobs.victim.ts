/** A worker that takes a job, reports it, and never finishes: for tests that kill it. */
import { pino } from 'pino';
import { connect } from '#platform/db/database.ts';
import { openJobs } from './jobs.ts';
import { openNotices } from '#platform/cache/notices.ts';

const [databaseUrl = '', queue = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const sql = connect(databaseUrl, 3);
const jobs = openJobs({ sql, notices: openNotices(sql, log), log });
await jobs.start({
  [queue]: async (_data, { attempt }) => {
    process.send?.({ attempt });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
});
