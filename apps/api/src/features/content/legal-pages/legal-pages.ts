/**
 * Legal pages: terms, privacy and their kin, shown by the frontend at `/{slug}`,
 * as the public reads them: the version in force, those announced and those past.
 */
import type {
  LegalPage,
  LegalPages,
  LegalPageSummary,
  LegalPageVersion,
} from '@cambist/contract/legal-pages';
import { notFound } from '#kernel/refusal.ts';
import type { Id } from '#kernel/id.ts';
import { listRedirects, lockAddresses } from '#features/content/address-store.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { dayOf, shownVersion, versionTimes, type VersionTimes } from './version-state.ts';
import * as store from './store.ts';

/** The cache tag of every answer made of legal pages. */
export const LEGAL_PAGES = 'legal-pages';

type ReadDeps = Pick<Deps, 'db' | 'clock'>;
type Timed = store.VersionHead & VersionTimes;

export async function listPublished({ db, clock }: ReadDeps): Promise<LegalPages> {
  const now = clock();
  const [pages, versions] = [await store.listPages(db), await store.listVersions(db)];
  const byPage = Map.groupBy(versions, ({ page_id }) => page_id);
  const moved = Map.groupBy(await store.listAllRedirects(db), ({ page_id }) => page_id);
  const formerOf = (id: Id) => (moved.get(id) ?? []).map((former) => former.slug);
  const data = pages.flatMap(({ id, slug, published_at }) => {
    const shown = shownVersion(versionTimes(byPage.get(id) ?? [], dayOf(now)));
    if (published_at === null || shown === undefined) return [];
    return [{ ...summaryOf(slug, shown, now), redirects: formerOf(id) }];
  });
  // Nobody hears of a page that was never shown.
  const withdrawn = pages
    .filter(({ id, published_at }) => published_at === null && byPage.has(id))
    .flatMap(({ id, slug }) => [slug, ...formerOf(id)]);
  return { data, withdrawn };
}

/**
 * At its present or a former address; the version in force unless another is asked for.
 * @throws {Refusal} 404 for what is not there or not on the site.
 */
export async function getPublished(
  { db, clock }: ReadDeps,
  slug: string,
  number?: number,
): Promise<LegalPage> {
  const page = await store.findPublished(db, slug);
  if (page === undefined) throw notFound();
  const now = clock();
  const versions = await versionsOf(db, page.id, now);
  const shown =
    number === undefined
      ? shownVersion(versions)
      : versions.find((version) => version.number === number);
  const text = shown && (await store.findVersion(db, page.id, shown.number));
  if (shown === undefined || text === undefined) throw notFound();
  return pageOf(page.slug, { ...shown, body: text.body }, versions, now);
}

/** Whether visitors find a page at this present or former address, until the end of the transaction. */
export async function isOnTheSite(tx: Tx, slug: string): Promise<boolean> {
  await lockAddresses(tx, 'legal_page');
  return (await store.findPublished(tx, slug)) !== undefined;
}

/** Where the page is by now that had this address; the address itself where none had it. */
export async function presentAddress(db: Db | Tx, slug: string): Promise<string> {
  return (await store.findMovedTo(db, slug)) ?? slug;
}

/** Where a page is and was, for the desk. @throws {Refusal} 404 */
export async function addressesOf(db: Db | Tx, id: Id): Promise<string[]> {
  const page = await store.findPage(db, id);
  if (page === undefined) throw notFound();
  return [page.slug, ...(await listRedirects(db, 'legal_page', id))];
}

/** Whether visitors are led to one of these addresses, until the end of the transaction. */
export async function areLedTo(
  { pathsLedTo }: Pick<Deps, 'pathsLedTo'>,
  tx: Tx,
  addresses: readonly string[],
): Promise<boolean> {
  await lockAddresses(tx, 'legal_page');
  const paths = await pathsLedTo(tx);
  return addresses.some((slug) => paths.includes(`/${slug}`));
}

/** In the order of their numbers. */
export async function versionsOf(db: Db | Tx, id: Id, now: Date): Promise<Timed[]> {
  return versionTimes(await store.listVersions(db, id), dayOf(now));
}

/** The number of the version in force; null without such a page. */
export async function versionInForce(db: Db | Tx, slug: string, now: Date): Promise<number | null> {
  const versions = await store.listPublishedVersions(db, slug);
  return shownVersion(versionTimes(versions, dayOf(now)))?.number ?? null;
}

function pageOf(
  slug: string,
  shown: Timed & { readonly body: string },
  versions: readonly Timed[],
  now: Date,
): LegalPage {
  return {
    ...summaryOf(slug, shown, now),
    ...versionOf(shown),
    body: shown.body,
    versions: versions.toReversed().map(versionOf),
  };
}

/** The draft as it would be if it were published now. @throws {Refusal} 404 */
export async function draftAsPublished({ db, clock }: ReadDeps, id: Id): Promise<LegalPage> {
  const row = await store.findPage(db, id);
  if (row === undefined) throw notFound();
  const now = clock();
  const versions = await store.listVersions(db, row.id);
  const next = {
    ...row.draft,
    page_id: row.id,
    number: (versions.at(-1)?.number ?? 0) + 1,
    effective_on: row.draft.effective_on ?? dayOf(now),
    author_id: null,
    author_name: null,
    at: now,
  };
  const timed = versionTimes([...versions, next], dayOf(now));
  const [shown] = versionTimes([next], dayOf(now));
  if (shown === undefined) throw notFound();
  return pageOf(row.slug, shown, timed, now);
}

export function versionOf({ number, at, ...version }: Timed): LegalPageVersion {
  const { state, effective_on, until, change } = version;
  return { version: number, state, effective_on, until, change, published_at: at.toISOString() };
}

function summaryOf(slug: string, shown: Timed, now: Date): LegalPageSummary {
  const { title, summary, number, effective_on, at } = shown;
  const begun = new Date(`${effective_on}T00:00:00Z`);
  const updated = begun > at && begun <= now ? begun : at;
  return { slug, title, summary, version: number, effective_on, updated_at: updated.toISOString() };
}
