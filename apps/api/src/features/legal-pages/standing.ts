/**
 * Which version of a page is in force on which days. A later number always takes the
 * place of an earlier one from its first day on, so one that was to come into force
 * on that day or after it never does. Days are `YYYY-MM-DD` in UTC. Pure.
 */
import type { VersionState } from '@cambist/contract/legal-pages';

export interface Dated {
  readonly number: number;
  readonly effective_on: string;
}

export interface Standing {
  readonly state: VersionState;
  /** The first day on which another is in force; null where none is known. */
  readonly until: string | null;
}

/** @param versions of one page, in the order of their numbers. */
export function standings<V extends Dated>(
  versions: readonly V[],
  today: string,
): (V & Standing)[] {
  const found: (V & Standing)[] = [];
  let next: string | null = null;
  for (const version of versions.toReversed()) {
    const { effective_on } = version;
    found.push({ ...version, ...standing(effective_on, next, today) });
    if (next === null || effective_on < next) next = effective_on;
  }
  return found.toReversed();
}

function standing(from: string, until: string | null, today: string): Standing {
  if (until !== null && until <= from) return { state: 'replaced', until: null };
  if (from > today) return { state: 'announced', until };
  return { state: until !== null && until <= today ? 'past' : 'in_force', until };
}

/** The version in force; the first one announced where none is yet. */
export function shownVersion<V extends Standing>(versions: readonly V[]): V | undefined {
  return (
    versions.find(({ state }) => state === 'in_force') ??
    versions.find(({ state }) => state === 'announced')
  );
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
