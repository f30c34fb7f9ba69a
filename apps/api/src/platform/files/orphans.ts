/** Deletes files without a row, which a crash has left. */
import { HOUR } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';

/** A file is written before its row. */
const GRACE_MS = HOUR;
const BATCH = 500;

/** Deletes files older than an hour whose names `known` does not return; returns how many. */
export async function deleteOrphans(
  { files, clock }: Pick<Deps, 'files' | 'clock'>,
  folder: string,
  known: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const before = clock().getTime() - GRACE_MS;
  const old = (await files.list(folder))
    .filter(({ changedAt }) => changedAt.getTime() < before)
    .map(({ name }) => name);
  let deleted = 0;
  for (let start = 0; start < old.length; start += BATCH) {
    const batch = old.slice(start, start + BATCH);
    const found = await known(batch);
    for (const name of batch.filter((each) => !found.has(each))) {
      await files.remove(folder, name);
      deleted += 1;
    }
  }
  return deleted;
}
