/**
 * Which version of a page is in force when. A version begins with its day, or as it is
 * published where its day has begun by then. A later number takes the place of an earlier
 * one from that moment on: one that was to begin then or after it never does, and one that
 * had begun was in force, if only for hours. Days are `YYYY-MM-DD` in UTC. Pure.
 */
import type { VersionState } from '@cambist/contract/legal-pages';

export interface Dated {
  readonly number: number;
  readonly effective_on: string;
  /** When it was published. */
  readonly at: Date;
}

export interface VersionTimes {
  readonly state: VersionState;
  /** The day on which another takes its place; null where none is known. */
  readonly until: string | null;
}

/** @param versions of one page, in the order of their numbers. */
export function versionTimes<V extends Dated>(
  versions: readonly V[],
  today: string,
): (V & VersionTimes)[] {
  const found: (V & VersionTimes)[] = [];
  let next: Dated | null = null;
  for (const version of versions.toReversed()) {
    found.push({ ...version, ...timesOf(version, next, today) });
    if (next === null || beginning(version) < beginning(next)) next = version;
  }
  return found.toReversed();
}

function beginning({ effective_on, at }: Dated): number {
  return Math.max(Date.parse(`${effective_on}T00:00:00Z`), at.getTime());
}

function timesOf(version: Dated, next: Dated | null, today: string): VersionTimes {
  if (next && beginning(next) <= beginning(version)) return { state: 'replaced', until: null };
  const until = next?.effective_on ?? null;
  if (version.effective_on > today) return { state: 'announced', until };
  return { state: until !== null && until <= today ? 'past' : 'in_force', until };
}

/** The version in force; the first one announced where none is yet. */
export function shownVersion<V extends VersionTimes>(versions: readonly V[]): V | undefined {
  return (
    versions.find(({ state }) => state === 'in_force') ??
    versions.find(({ state }) => state === 'announced')
  );
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
