/**
 * The texts and pictures of a first start, written by the features' own functions. The demo desk's
 * legal pages have each been changed once, so that there is an earlier version to compare.
 */
import type { MediaItem } from '@cambist/contract/media';
import type { SettingValue } from '@cambist/contract/settings';
import { bySystem } from '#kernel/actor.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { escaped } from '#kernel/escaped.ts';
import { publish as publishPost } from '#features/content/blog/publication.ts';
import { createPost, saveDraft } from '#features/content/blog/writing.ts';
import { publish as publishPage } from '#features/content/legal-pages/publication.ts';
import { createPage, savePage } from '#features/content/legal-pages/writing.ts';
import { add } from '#features/content/media/adding.ts';
import { settingDefaults } from '#features/content/settings/defaults.ts';
import type { Deps } from '#platform/deps.ts';
import { readFile, readHtml, readJson } from './files.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;

/** Who the legal pages speak for. */
export interface Company {
  /** As it stands in a sentence: `Cambist Exchange Ltd`. */
  readonly name: string;
  readonly address: string;
  readonly email: string;
}

interface FirstPage {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  /** What the second version of the demo desk's page changed: the present text and the former one. */
  readonly changed: readonly (readonly [present: string, former: string])[];
  readonly change: string;
  readonly daysAgo: number;
}

interface DemoPost {
  readonly daysAgo: number;
  readonly title: string;
  readonly slug: string;
  /** The key of a picture. */
  readonly cover: string;
  readonly author: string;
  readonly tags: string[];
  readonly excerpt: string;
}

const FIRST_DAYS_AGO = 310;
const FIRST_CHANGE = 'First text. Have it read by a lawyer who knows the law of your country.';
const WRITING_MS = 2 * HOUR;

export const demoCompany = () => readJson<Company & { readonly time_zone: string }>('company.json');

export function demoGeneral(): SettingValue<'general'> {
  const { name, address, email, time_zone } = demoCompany();
  const company = { company_name: name, company_address: address, contact_email: email };
  return { ...settingDefaults.general, ...company, time_zone };
}

/** The default page with the figures of this desk, invented customers, and links to what there is. */
export function demoHomePage(figures: {
  pairs: number;
  currencies: number;
  lockMinutes: number;
}): SettingValue<'home-page'> {
  const home = withLegalLinks(settingDefaults['home-page']);
  const [first, ...others] = home.footer.columns;
  const blog = { label: 'Blog', href: '/blog' };
  const columns = first ? [{ ...first, links: [...first.links, blog] }, ...others] : others;
  const values = Object.entries(figures).map(([name, value]) => [name, String(value)]);
  const demo = readHtml('home-page.json', Object.fromEntries(values));
  return { ...home, ...(JSON.parse(demo) as object), footer: { ...home.footer, columns } };
}

export function withLegalLinks(home: SettingValue<'home-page'>): SettingValue<'home-page'> {
  const legal = {
    title: 'Legal',
    links: readJson<{ label: string; href: string }[]>('legal/links.json'),
  };
  return { ...home, footer: { ...home.footer, columns: [...home.footer.columns, legal] } };
}

/** The legal pages; a demo desk's in two versions, the first of which says what was changed since. */
export async function seedLegalPages(
  deps: WriteDeps,
  company: Company,
  isDemo: boolean,
): Promise<void> {
  for (const page of readJson<FirstPage[]>('legal/pages.json')) {
    const { title, slug, summary } = page;
    const now = isDemo ? daysAgo(deps, page.daysAgo) : deps;
    const first = isDemo ? daysAgo(deps, FIRST_DAYS_AGO) : deps;
    const { id } = await createPage(first, bySystem, { title, slug });
    const publish = async (at: WriteDeps, version: number, body: string, change: string) => {
      const content = { title, summary, body, change, effective_on: null };
      const saved = await savePage(at, bySystem, id, { version, content });
      await publishPage(at, bySystem, id, saved.version);
    };
    const body = bodyOf(page, company);
    await publish(first, 1, isDemo ? formerBody(page, body) : body, isDemo ? '' : FIRST_CHANGE);
    if (isDemo) await publish(now, 3, body, page.change);
  }
}

function formerBody({ slug, changed }: FirstPage, body: string): string {
  return changed.reduce((text, [present, former]) => {
    if (!text.includes(present)) throw new Error(`${slug} does not say “${present}”.`);
    return text.replace(present, former);
  }, body);
}

function bodyOf({ slug }: FirstPage, { name, address, email }: Company): string {
  return readHtml(`legal/${slug}.html`, {
    name: escaped(name),
    email: escaped(email),
    who_and_where: escaped(address === '' ? name : `${name}, ${address}`),
  });
}

/** Answers each picture of the demo by its key. */
export async function seedMedia(deps: Deps): Promise<ReadonlyMap<string, MediaItem>> {
  const pictures = readJson<{ key: string; name: string; alt: string }[]>('pictures/pictures.json');
  const items = new Map<string, MediaItem>();
  // One after the other, since the library lists them by the time they came.
  for (const { key, name, alt } of pictures) {
    const source = readFile(`pictures/${key}.webp`);
    items.set(key, await add(deps, bySystem, { source, name, alt }));
  }
  return items;
}

/** Each at a time of its own; the oldest comes first. */
export async function seedPosts(
  deps: WriteDeps,
  pictures: ReadonlyMap<string, MediaItem>,
): Promise<void> {
  const images = Object.fromEntries(
    [...pictures].map(([key, { path, alt, width, height }]) => [
      key,
      `src="${path}" alt="${escaped(alt)}" width="${width}" height="${height}"`,
    ]),
  );
  for (const { daysAgo: days, cover, ...post } of readJson<DemoPost[]>('posts/posts.json')) {
    const published = daysAgo(deps, days);
    const begun = { ...deps, clock: () => new Date(published.clock().getTime() - WRITING_MS) };
    const { id, version, content } = await createPost(begun, bySystem, post.title);
    const picture = pictures.get(cover);
    const saved = await saveDraft(begun, 'system', id, {
      version,
      content: {
        ...content,
        slug: post.slug,
        excerpt: post.excerpt,
        author: post.author,
        tags: post.tags,
        cover: picture?.path ?? null,
        cover_alt: picture?.alt ?? '',
        body: readHtml(`posts/${post.slug}.html`, images),
      },
    });
    await publishPost(published, bySystem, id, { version: saved.version, publishAt: null });
  }
}

function daysAgo(deps: WriteDeps, days: number): WriteDeps {
  const at = new Date(deps.clock().getTime() - days * DAY);
  return { ...deps, clock: () => at };
}
