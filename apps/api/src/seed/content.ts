/**
 * The texts and pictures of a first start, written by the features' own functions. The demo desk's
 * legal pages have each been changed once, so that there is an earlier version to compare.
 */
import type { MediaItem } from '@cambist/contract/media';
import type { SettingValue } from '@cambist/contract/settings';
import { DAY, HOUR } from '#kernel/clock.ts';
import { publish as publishPost } from '#features/content/blog/publication.ts';
import { createPost, saveDraft } from '#features/content/blog/writing.ts';
import { publish as publishPage } from '#features/content/legal-pages/publication.ts';
import { createPage, savePage } from '#features/content/legal-pages/writing.ts';
import { add } from '#features/content/media/adding.ts';
import { settingDefaults } from '#features/content/settings/settings.ts';
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

interface DemoCompany extends Company {
  readonly time_zone: string;
  readonly testimonials: SettingValue<'home-page'>['testimonials'];
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
const FIRST_CHANGE = 'First text. Have it read by somebody who knows the law of your country.';
const WRITING_MS = 2 * HOUR;

export const demoCompany = () => readJson<DemoCompany>('company.json');
export const firstPages = () => readJson<FirstPage[]>('legal/pages.json');

export function demoGeneral(): SettingValue<'general'> {
  const { name, address, email, time_zone } = demoCompany();
  return {
    ...settingDefaults.general,
    company_name: name,
    company_address: address,
    contact_email: email,
    time_zone,
  };
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
  return {
    ...home,
    footer: { ...home.footer, columns },
    stats: {
      enabled: true,
      items: [
        { value: `${figures.lockMinutes} min`, label: 'your quote is held' },
        { value: String(figures.pairs), label: 'pairs to exchange' },
        { value: String(figures.currencies), label: 'currencies and channels' },
      ],
    },
    testimonials: demoCompany().testimonials,
  };
}

export function withLegalLinks(home: SettingValue<'home-page'>): SettingValue<'home-page'> {
  const links = [
    { label: 'Terms of service', href: '/terms' },
    { label: 'Privacy', href: '/privacy' },
    { label: 'Against money laundering', href: '/aml-policy' },
  ];
  const { footer } = home;
  return {
    ...home,
    footer: { ...footer, columns: [...footer.columns, { title: 'Legal', links }] },
  };
}

/** For a desk that has nothing yet. */
export async function seedLegalPages(deps: WriteDeps, company: Company): Promise<void> {
  for (const page of firstPages()) {
    const body = bodyOf(page, company);
    await addVersion(deps, await create(deps, page), page, { body, change: FIRST_CHANGE });
  }
}

/** Each in two versions. */
export async function seedDemoLegalPages(deps: WriteDeps): Promise<void> {
  for (const page of firstPages()) {
    const body = bodyOf(page, demoCompany());
    const former = page.changed.reduce((text, [present, before]) => {
      if (!text.includes(present)) throw new Error(`${page.slug} does not say “${present}”.`);
      return text.replace(present, before);
    }, body);
    const first = daysAgo(deps, FIRST_DAYS_AGO);
    const id = await create(first, page);
    await addVersion(first, id, page, { body: former, change: '' });
    await addVersion(daysAgo(deps, page.daysAgo), id, page, { body, change: page.change }, 3);
  }
}

async function create(deps: WriteDeps, { title, slug }: FirstPage): Promise<string> {
  return (await createPage(deps, 'system', null, { title, slug })).id;
}

async function addVersion(
  deps: WriteDeps,
  id: string,
  { title, summary }: FirstPage,
  text: { body: string; change: string },
  version = 1,
): Promise<void> {
  const content = { title, summary, ...text, effective_on: null };
  const saved = await savePage(deps, 'system', null, id, { version, content });
  await publishPage(deps, 'system', null, id, saved.version);
}

function bodyOf({ slug }: FirstPage, { name, address, email }: Company): string {
  return readHtml(`legal/${slug}.html`, {
    name: escapeHtml(name),
    email: escapeHtml(email),
    who_and_where: escapeHtml(address === '' ? name : `${name}, ${address}`),
  });
}

/** Answers each picture of the demo by its key. */
export async function seedMedia(deps: Deps): Promise<ReadonlyMap<string, MediaItem>> {
  const pictures = readJson<{ key: string; name: string; alt: string }[]>('pictures/pictures.json');
  const items = new Map<string, MediaItem>();
  // One after the other, since the library lists them by the time they came.
  for (const { key, name, alt } of pictures) {
    const source = readFile(`pictures/${key}.webp`);
    items.set(key, await add(deps, 'system', null, { source, name, alt }));
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
      `src="${path}" alt="${escapeHtml(alt)}" width="${width}" height="${height}"`,
    ]),
  );
  for (const { daysAgo: days, cover, ...post } of readJson<DemoPost[]>('posts/posts.json')) {
    const published = daysAgo(deps, days);
    const begun = { ...deps, clock: () => new Date(published.clock().getTime() - WRITING_MS) };
    const { id, version, content } = await createPost(begun, 'system', null, post.title);
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
    await publishPost(published, 'system', null, id, {
      version: saved.version,
      publishAt: null,
    });
  }
}

function daysAgo(deps: WriteDeps, days: number): WriteDeps {
  const at = new Date(deps.clock().getTime() - days * DAY);
  return { ...deps, clock: () => at };
}

/** Names and addresses come from settings. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
