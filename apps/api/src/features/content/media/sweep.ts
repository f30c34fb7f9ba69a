/** Files that no row speaks of go once a day. */
import type { Deps } from '#platform/deps.ts';
import { deleteOrphans } from '#platform/files/orphans.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { folder } from './media.ts';
import { knownNames } from './store.ts';

export function sweepMedia(deps: Pick<Deps, 'db' | 'files' | 'clock'>): Task {
  return {
    name: 'sweep-media',
    cron: '41 3 * * *',
    async run() {
      const deleted = await deleteOrphans(deps, folder, (names) => knownNames(deps.db, names));
      return `${deleted} orphaned files deleted`;
    },
  };
}
