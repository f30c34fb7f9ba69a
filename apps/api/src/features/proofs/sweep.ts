/**
 * Compares files and rows every hour. A file without a row is left from a crash and deleted after an
 * hour; a row without a file is lost evidence, so the run fails.
 */
import type { Deps } from '#platform/deps.ts';
import { deleteOrphans } from '#platform/files/orphans.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import * as store from './store.ts';
import { folder } from './proofs.ts';

const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type SweepDeps = Pick<Deps, 'db' | 'files' | 'log' | 'clock'>;

export function sweepProofs(deps: SweepDeps): Task {
  return {
    name: 'sweep-proofs',
    cron: '23 * * * *',
    async run() {
      // Rows first: a newer file cannot be missing.
      const rows = await allNames(deps);
      const files = await deps.files.list(folder);
      const present = new Set(files.map((file) => file.name));
      const missing = rows.filter((row) => row.names.some((name) => !present.has(name)));
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

async function allNames({ db }: SweepDeps): Promise<{ id: string; names: string[] }[]> {
  const found: { id: string; names: string[] }[] = [];
  for (let after = FIRST_ID; ;) {
    const batch = await store.listNames(db, after, BATCH);
    found.push(
      ...batch.map(({ id, stored_name, view_name }) => ({
        id,
        names: view_name === null ? [stored_name] : [stored_name, view_name],
      })),
    );
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return found;
    after = last.id;
  }
}
