/** Files that no row speaks of were left by a crash; they go once a day, when they are an hour old. */
import { HOUR } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { folder } from './media.ts';
import { knownNames } from './store.ts';

const GRACE_MS = HOUR;
const BATCH = 500;

export function sweepMedia({ db, files, clock }: Pick<Deps, 'db' | 'files' | 'clock'>): Task {
  return {
    name: 'sweep-media',
    cron: '41 3 * * *',
    async run() {
      const before = clock().getTime() - GRACE_MS;
      const old = (await files.list(folder))
        .filter(({ changedAt }) => changedAt.getTime() < before)
        .map(({ name }) => name);
      let deleted = 0;
      for (let start = 0; start < old.length; start += BATCH) {
        const batch = old.slice(start, start + BATCH);
        const known = await knownNames(db, batch);
        for (const name of batch.filter((each) => !known.has(each))) {
          await files.remove(folder, name);
          deleted += 1;
        }
      }
      return `${deleted} orphaned files deleted`;
    },
  };
}
