/** What publishing a draft leads to, for the dialog that asks before it. Pure. */
import type { LegalPageDraft } from '@cambist/contract/legal-page-writing';

export interface Publishing {
  /** A first version may have been in force elsewhere on a day that is past; of a later one it is refused. */
  readonly begins: 'today' | 'later' | 'before' | 'never';
  /** Announced versions that never come into force then: a later number takes their place before. */
  readonly replaced: readonly Pick<
    LegalPageDraft['versions'][number],
    'version' | 'effective_on'
  >[];
}

/** @param day from which it is in force; null for the day of its publication. Days are days in UTC. */
export function publishingOf(
  versions: LegalPageDraft['versions'],
  day: string | null,
  today = new Date().toISOString().slice(0, 10),
): Publishing {
  const from = day ?? today;
  if (from < today) return { begins: versions.length > 0 ? 'never' : 'before', replaced: [] };
  return {
    begins: from === today ? 'today' : 'later',
    replaced: versions
      .filter(({ state, effective_on }) => state === 'announced' && effective_on >= from)
      .toReversed(),
  };
}
