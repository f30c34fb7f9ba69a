/** Files that no row speaks of were left by a crash. */
import { HOUR } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';

/** A file comes before its row. */
const GRACE_MS = HOUR;
const BATCH = 500;

/** Deletes what is an hour old and of which `known` does not answer the name; answers how many. */
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
    const kept = await known(batch);
    for (const name of batch.filter((each) => !kept.has(each))) {
      await files.remove(folder, name);
      deleted += 1;
    }
  }
  return deleted;
}
