/** What publishing a working copy leads to, told before it is done. Pure. */
import type { LegalPageContent, LegalPageDraft } from '@cambist/contract/legal-page-writing';
import { isSeen } from '@cambist/contract/seen-text';
import { isReadTheSame } from '@cambist/markup/readable';
import { isTextSeen } from '#lib/admin/is-text-seen.ts';
import type { PageForm } from '../page-form.ts';

export interface Publishing {
  /** A first version may have been in force elsewhere on a day that is past; of a later one it is refused. */
  readonly begins: 'today' | 'later' | 'before' | 'never';
  /** Announced versions that never come into force then: a later number takes their place before. */
  readonly overtaken: readonly Pick<
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
  if (from < today) return { begins: versions.length > 0 ? 'never' : 'before', overtaken: [] };
  return {
    begins: from === today ? 'today' : 'later',
    overtaken: versions
      .filter(({ state, effective_on }) => state === 'announced' && effective_on >= from)
      .toReversed(),
  };
}

export type NeededField = 'title' | 'body' | 'change';

/** Fields of which nothing is seen, and without which no version is published. The first one replaces nothing. */
export function missingFields(
  { title, body, change }: Pick<PageForm, NeededField>,
  isFirst: boolean,
): readonly NeededField[] {
  const isTold = { title: isSeen(title), body: isTextSeen(body), change: isSeen(change) };
  const needed: NeededField[] = isFirst ? ['title', 'body'] : ['title', 'body', 'change'];
  return needed.filter((field) => !isTold[field]);
}

/** Whether a version of it would tell the public nothing new, as the service judges too: what changes is no part of the page. */
export function saysTheSame(content: LegalPageContent, latest: LegalPageContent): boolean {
  return (
    content.title === latest.title &&
    content.summary === latest.summary &&
    dayTold(content, latest) === latest.effective_on &&
    isReadTheSame(content.body, latest.body)
  );
}

type Dated = Pick<LegalPageContent, 'effective_on'>;

/** The day that it says beside a version; left open, it says no other. */
export function dayTold({ effective_on }: Dated, version: Dated): string | null {
  return effective_on ?? version.effective_on;
}
