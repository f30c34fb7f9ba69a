/**
 * Compares files and rows every hour. A file without a row is left from a crash and deleted after an
 * hour; a row without a file is lost evidence, so the run fails.
 */
import type { Deps } from '#platform/deps.ts';
import { deleteOrphans } from '#platform/files/orphans.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import * as store from './store.ts';
import { folder } from './proofs.ts';

type SweepDeps = Pick<Deps, 'db' | 'files' | 'log' | 'clock'>;

export function sweepProofs(deps: SweepDeps): Task {
  return {
    name: 'sweep-proofs',
    cron: '23 * * * *',
    async run() {
      // Rows first: a newer file cannot be missing.
      const rows = await store.listNames(deps.db);
      const files = await deps.files.list(folder);
      const present = new Set(files.map((file) => file.name));
      const missing = rows.filter(
        ({ stored_name: original, view_name: view }) =>
          !present.has(original) || (view !== null && !present.has(view)),
      );
      const known = (names: readonly string[]) => store.knownNames(deps.db, names);
      await store.deleteOldUploads(deps.db);
      const deleted = await deleteOrphans(deps, folder, known);
      for (const { id } of missing) deps.log.error({ proof: id }, 'A proof has a row but no file.');
      const detail = `${deleted} orphaned files deleted, ${missing.length} files missing`;
      if (missing.length > 0)
        throw new Error(`${detail}: ${missing.map((row) => row.id).join(', ')}`);
      return detail;
    },
  };
}
