/** What shows a picture, or has shown it and may again: told by each in its own transaction. */
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/database.ts';
import * as store from './store.ts';

/** @throws {Refusal} 409 `media_in_use`, `media_in_history` */
export function refuseUsed(uses: readonly store.Use[], force: boolean): void {
  const shown = uses.filter(({ past }) => !past);
  const places = (shown.length > 0 ? shown : uses).map(({ label }) => label).join(', ');
  if (shown.length > 0) {
    throw new Refusal(409, 'media_in_use', `The picture is shown: ${places}.`);
  }
  if (uses.length > 0 && !force) {
    throw new Refusal(
      409,
      'media_in_history',
      `Only earlier versions show the picture: ${places}.`,
    );
  }
}

interface Subject {
  readonly kind: string;
  readonly id: string;
  /** As people call it: `Post “A rate that holds”`. */
  readonly label: string;
  /** Where it is edited. */
  readonly href: string;
}

/** Remembers which pictures these texts (HTML or bare paths) show, in the place of those before. */
export async function noteUses(tx: Tx, subject: Subject, texts: readonly string[]): Promise<void> {
  await store.replaceUses(tx, rowOf(subject), keysIn(texts));
}

/** Remembers which pictures these texts show, that the subject had before and may have again. */
export async function notePastUses(
  tx: Tx,
  subject: Subject,
  texts: readonly string[],
): Promise<void> {
  await store.addPastUses(tx, rowOf(subject), keysIn(texts));
}

/** For what is deleted with all that it was. */
export async function forgetUses(tx: Tx, subject: Subject): Promise<void> {
  await store.deleteUses(tx, rowOf(subject));
}

const rowOf = ({ kind, id, label, href }: Subject) => ({
  subject_kind: kind,
  subject_id: id,
  label,
  href,
});

function keysIn(texts: readonly string[]): string[] {
  const found = texts.join(' ').match(/\/media\/[a-z0-9]{16}(?=-[0-9])/g) ?? [];
  return [...new Set(found.map((path) => path.slice('/media/'.length)))];
}
