/**
 * A change of what is on offer, by an admin: it stands in the audit log, and the
 * public answers that show currencies and pairs are made anew, the latest
 * exchanges with their currencies' names among them. Pairs come here through
 * `currencies.ts`.
 */
import * as audit from '#features/audit/audit.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';

interface Change {
  readonly actor: Actor;
  readonly origin: Origin | null;
  readonly action: string;
  readonly subject_kind: 'currency' | 'pair';
  readonly subject_id: string;
  readonly data: Record<string, unknown>;
}

const ANSWERS = ['converter', 'rates-showcase', 'latest-exchanges', 'feeds'];

export async function recordChange(
  { published }: Pick<Deps, 'published'>,
  tx: Tx,
  change: Change,
): Promise<void> {
  await audit.record(tx, change);
  await published.changed(tx, ...ANSWERS);
}
