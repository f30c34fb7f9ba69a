/**
 * Working copies that another text took the place of. A page is saved by hand, and a
 * version may be put back over weeks of work: what no version has is kept beside them.
 */
import type { LegalPageContent, LegalPageDraft } from '@cambist/contract/legal-page-writing';
import type { Actor } from '#kernel/actor.ts';
import { canonical } from '#kernel/canonical.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { losesMuch } from '#kernel/losses.ts';
import { notFound } from '#kernel/refusal.ts';
import { notePastUses } from '#features/content/media/media.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as copies from './copy-store.ts';
import * as store from './store.ts';

/** Whoever saves again after this has begun anew. */
const SITTING_MS = 10 * MINUTE;

/**
 * Before `next` takes the place of the working copy: a copy of it, in the name of whoever
 * wrote it, where nothing else has it and `always` is asked for, it is somebody else's or
 * an earlier day's, or much of it goes.
 */
export async function keepCopy(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  row: store.LegalPageRow,
  { next, actor, always }: { next: LegalPageContent; actor: Actor | 'system'; always: boolean },
): Promise<void> {
  const { id, draft, saved_at, saved_by, saved_by_name } = row;
  if (isSame(draft, next) || isEmpty(draft)) return;
  const isOwn = saved_by === (actor === 'system' ? null : actor.id);
  const isOld = clock().getTime() - saved_at.getTime() >= SITTING_MS;
  if (!always && isOwn && !isOld && !losesMuch(draft, next)) return;
  if (await isKept(tx, id, draft)) return;
  await copies.insertCopy(tx, {
    page_id: id,
    content: draft,
    author_id: saved_by,
    author_name: saved_by_name,
    at: saved_at,
  });
  await notePastUses(tx, pictureSubject(id, draft.title), [draft.body]);
}

/** What shows pictures of the library, as the library calls it. */
export const pictureSubject = (id: Id, title: string) => ({
  kind: 'legal_page',
  id,
  label: `Legal page “${title}”`,
  href: `/admin/legal-pages/${id}`,
});

async function isKept(tx: Tx, id: Id, draft: LegalPageContent): Promise<boolean> {
  // Its note and its day are of no version yet.
  const isBare = draft.change === '' && draft.effective_on === null;
  if (isBare && (await copies.isVersion(tx, id, draft))) return true;
  const copy = await copies.findLastCopy(tx, id);
  return copy !== undefined && isSame(draft, copy.content);
}

/** What a publication, or a version that is put back, leaves in the working copy. */
const bare = ({ title, summary, body }: store.VersionRow): LegalPageContent => ({
  title,
  summary,
  body,
  change: '',
  effective_on: null,
});

/** Just begun: it has nothing but its title. */
const isEmpty = ({ summary, body, change }: LegalPageContent) => summary + body + change === '';
const isSame = (one: LegalPageContent, other: LegalPageContent) =>
  canonical(one) === canonical(other);

/** The latest first. */
export async function listCopies(db: Db | Tx, id: Id): Promise<LegalPageDraft['copies']> {
  const rows = await copies.listCopies(db, id);
  return rows.map(({ number, title, author_name, at }) => ({
    number,
    title,
    author: author_name,
    at: at.toISOString(),
  }));
}

/** @throws {Refusal} 404 */
export async function getCopy(db: Db, id: Id, number: number) {
  const row = await copies.findCopy(db, id, number);
  if (row === undefined) throw notFound();
  return { number, content: row.content };
}

/** @throws {Refusal} 404 */
export async function contentOf(
  tx: Tx,
  id: Id,
  { from, number }: { readonly from: 'version' | 'copy'; readonly number: number },
): Promise<LegalPageContent> {
  if (from === 'copy') {
    const copy = await copies.findCopy(tx, id, number);
    if (copy === undefined) throw notFound();
    return copy.content;
  }
  const version = await store.findVersion(tx, id, number);
  if (version === undefined) throw notFound();
  return bare(version);
}
