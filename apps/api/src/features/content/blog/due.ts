/** Marks scheduled posts as public within a minute of their time. */
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { BLOG } from './blog.ts';
import { announceDue } from './writing-store.ts';

export function publishDue({ db, published }: Pick<Deps, 'db' | 'published'>): Task {
  return {
    name: 'publish-due-posts',
    cron: '* * * * *',
    async run(now) {
      const due = await transaction(db, async (tx) => {
        const count = await announceDue(tx, now);
        if (count > 0) await published.changed(tx, BLOG);
        return count;
      });
      return `${due} published`;
    },
  };
}
