/**
 * Legal pages: terms, privacy and their kin, shown by the frontend at
 * `/{slug}`. A slug that belongs to another page of the site is refused, since
 * one of the two would never be seen (specification, section 4.4).
 */
import { LegalPageSummary, reservedSlugs, type LegalPage } from '@cambist/contract/legal-pages';
import { Type } from 'typebox';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { assertFits } from '#platform/value-check.ts';
import { findForbidden } from './markup.ts';
import * as store from './store.ts';

type WriteDeps = Pick<Deps, 'db' | 'published' | 'clock'>;

/** What a page consists of, besides its slug. */
export interface LegalPageText {
  readonly title: string;
  /** HTML of headings, text, lists, tables and links: see `markup.ts`. */
  readonly body: string;
  /** One or two sentences for lists and search engines. */
  readonly summary: string;
  /** As people call it: `3`, `2026-11`. */
  readonly version: string;
  /** `YYYY-MM-DD` */
  readonly effective_on: string;
  readonly position: number;
  readonly published: boolean;
}

/** Every answer made of legal pages. */
export const LIST_NAME = 'legal-pages';
export const pageName = (slug: string) => `legal-page ${slug}`;

const { slug: Slug, effective_on: EffectiveOn } = LegalPageSummary.properties;
const TextSchema = Type.Object({
  slug: Slug,
  title: Type.String({ minLength: 1, maxLength: 120 }),
  body: Type.String({ minLength: 1, maxLength: 200_000 }),
  summary: Type.String({ maxLength: 300 }),
  version: Type.String({ minLength: 1, maxLength: 40 }),
  effective_on: EffectiveOn,
  position: Type.Integer({ minimum: 0, maximum: 100_000 }),
  published: Type.Boolean(),
});

export async function listPublished(db: Db): Promise<LegalPageSummary[]> {
  return (await store.listPublished(db)).map(summaryOf);
}

/** @throws {Refusal} 404 for what is not there or not published. */
export async function getPublished(db: Db, slug: string): Promise<LegalPage> {
  const row = await store.findPublished(db, slug);
  if (!row) throw notFound();
  return { ...summaryOf(row), body: row.body };
}

/** @throws {Refusal} 422 by field: a taken or reserved slug, markup that is not allowed. */
export async function create(
  deps: WriteDeps,
  actor: Actor | 'system',
  origin: Origin | null,
  slug: string,
  text: LegalPageText,
): Promise<void> {
  check(slug, text);
  await transaction(deps.db, async (tx) => {
    const row = await store.insertLegalPage(tx, { id: newId(), slug, ...columns(deps, text) });
    if (!row) throw invalid({ slug: 'The slug has already been taken.' });
    await tell(deps, tx, actor, origin, 'legal_pages.created', row);
  });
}

/** @throws {Refusal} 404; 422 by field. */
export async function update(
  deps: WriteDeps,
  actor: Actor | 'system',
  origin: Origin | null,
  slug: string,
  text: LegalPageText,
): Promise<void> {
  check(slug, text);
  await transaction(deps.db, async (tx) => {
    const row = await store.updateLegalPage(tx, slug, columns(deps, text));
    if (!row) throw notFound();
    await tell(deps, tx, actor, origin, 'legal_pages.updated', row);
  });
}

function check(slug: string, text: LegalPageText): void {
  assertFits(TextSchema, { slug, ...text });
  if ((reservedSlugs as readonly string[]).includes(slug)) {
    throw invalid({ slug: 'The slug belongs to another page of the site.' });
  }
  const forbidden = findForbidden(text.body);
  if (forbidden !== null) throw invalid({ body: forbidden });
}

function columns({ clock }: WriteDeps, { published, ...text }: LegalPageText) {
  const now = clock();
  return { ...text, published_at: published ? now : null, updated_at: now };
}

async function tell(
  { published }: WriteDeps,
  tx: Tx,
  actor: Actor | 'system',
  origin: Origin | null,
  action: string,
  { id, slug, version }: store.LegalPageRow,
): Promise<void> {
  await published.changed(tx, LIST_NAME, pageName(slug));
  await record(tx, {
    actor,
    origin,
    action,
    subject_kind: 'legal_page',
    subject_id: id,
    data: { slug, version },
  });
}

function summaryOf(row: Omit<store.LegalPageRow, 'body'>): LegalPageSummary {
  const { slug, title, summary, version, effective_on, updated_at } = row;
  return { slug, title, summary, version, effective_on, updated_at: updated_at.toISOString() };
}
