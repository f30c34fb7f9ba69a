/**
 * Whether ten thousand posts of ten kilobytes are read as fast as ten: the list, its last
 * page, a tag, a search, one post, the site map's index, and the console's list with
 * its search; each beside the same with ten posts, measured in the same run. These are what builds an answer from the database,
 * once after every change: readers are answered from memory. Ends with 1 when one is too slow.
 */
import {
  getPost,
  listAddresses,
  listAddressParts,
  listPosts,
} from '../apps/api/src/features/content/blog/blog.ts';
import { listDrafts } from '../apps/api/src/features/content/blog/drafts.ts';
import { openDeps } from '../apps/api/src/open.ts';
import { connect } from '../apps/api/src/platform/db/database.ts';
import type { Deps } from '../apps/api/src/platform/deps.ts';
import { compareSizes, medians, type Questions } from './grown.ts';
import { startDatabase } from './service.ts';

const FEW = 10;
const MANY = 10_000;
/** The site map is written for machines, in parts of five thousand, and kept; its index reads each address. */
const INDEX_MS = 15;
const PART_MS = 50;

const database = await startDatabase();
const sql = connect(database.databaseUrl, 1);

/** Added at once. */
const BATCH = 250;
/** Ten kilobytes: of words that all have, and of words of its own. */
const WORDS = 1500;

/** Posts from `first` on, ten minutes apart; ten of ten thousand have the same tag, and link to the seventh. */
async function addPosts(first: number, last: number): Promise<void> {
  for (let at = first; at <= last; at += BATCH) await addBatch(at, Math.min(last, at + BATCH - 1));
  await sql`vacuum analyze posts`;
}

async function addBatch(first: number, last: number): Promise<void> {
  await sql`
    insert into posts
      (id, slug, title, excerpt, body, body_text, tags, published_at, announced_at, saved_at, draft)
    select gen_random_uuid(), 'post-' || n, 'Post ' || n, 'About the word w' || n || 'x',
      '<p>' || words || '</p>', words, tags, at, now(), at, jsonb_build_object(
        'slug', 'post-' || n, 'title', 'Post ' || n || ' written', 'excerpt', '',
        'body', '<p>' || words || ' More' || case when n % 1000 = 1
          then ' <a href="/blog/post-7">of this</a>' else '' end || '.</p>', 'cover', null, 'cover_alt', '', 'author', '',
        'tags', to_jsonb(tags), 'canonical', null, 'meta_title', '', 'meta_description', '',
        'head_script', '')
    from generate_series(${first}::int, ${last}::int) as n,
      lateral (select string_agg('r' || (n * 31 + i * i) % 3000, ' ') || ' rates' as words
        from generate_series(1, ${WORDS}::int) as i) as texts,
      lateral (select array['Tag ' || n % 1000, 'Rates'] as tags,
        now() - n * interval '10 minutes' as at) as others`;
}

/** Ten drafts, older than all that is public. */
async function addDrafts(): Promise<void> {
  await sql`
    insert into posts (id, slug, title, saved_at, draft)
    select gen_random_uuid(), 'draft-' || n, 'Draft', now() - interval '1 year', jsonb_build_object(
      'slug', 'draft-' || n, 'title', 'Draft of d' || n || 'x', 'author', '', 'tags', '[]'::jsonb)
    from generate_series(1, ${FEW}::int) as n`;
}

/** Of as many on a page as there are with few. */
const page = { per_page: FEW };
const questionsOf = (deps: Deps, posts: number): Questions => ({
  'the newest': () => listPosts(deps, page),
  'the last page': () => listPosts(deps, { ...page, page: posts / FEW }),
  'the middle': () => listPosts(deps, { ...page, page: Math.ceil(posts / FEW / 2) }),
  'a tag': () => listPosts(deps, { ...page, tag: 'Tag 1' }),
  'a tag in capitals': () => listPosts(deps, { ...page, tag: 'TAG 1' }),
  'a rare word': () => listPosts(deps, { ...page, q: 'w7x' }),
  'a word of all': () => listPosts(deps, { ...page, q: 'rates' }),
  'one post': () => getPost(deps, 'post-7'),
  'console: saved last': () => listDrafts(deps, page),
  'console: the last page': () => listDrafts(deps, { ...page, page: posts / FEW + 1 }),
  'console: the drafts': () => listDrafts(deps, { ...page, state: 'draft' }),
  'console: what is public': () => listDrafts(deps, { ...page, state: 'published' }),
  'console: a tag': () => listDrafts(deps, { ...page, tag: 'Tag 1' }),
  'console: a rare word': () => listDrafts(deps, { ...page, q: 'w7x' }),
  'console: a title of a draft': () => listDrafts(deps, { ...page, q: 'd7x' }),
  'console: a word of all': () => listDrafts(deps, { ...page, q: 'rates' }),
  'console: a title of all': () => listDrafts(deps, { ...page, q: 'written' }),
});

/** By a process that has just started: no plan and no answer of a smaller blog is kept. */
async function withDeps<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = openDeps({ ...database, poolSize: 2 });
  try {
    return await work(deps);
  } finally {
    await close();
  }
}

async function measure(posts: number) {
  return withDeps((deps) => medians(questionsOf(deps, posts)));
}

/** Of a plan that is made once, as a service that runs has it. */
async function siteMap(deps: Deps): Promise<void> {
  const asked = {
    'the index of the site map': [() => listAddressParts(deps), INDEX_MS],
    'one part of the site map': [() => listAddresses(deps), PART_MS],
  } as const;
  const spent = await medians(
    Object.fromEntries(Object.entries(asked).map(([name, [ask]]) => [name, ask])),
  );
  for (const [name, [, most]] of Object.entries(asked)) {
    const ms = spent.get(name) ?? Number.NaN;
    const isSlow = !(ms <= most);
    console.log(`  ${name}: ${ms.toFixed(1)} ms; at most ${most} ms${isSlow ? '  TOO SLOW' : ''}`);
    if (isSlow) process.exitCode = 1;
  }
}

try {
  await addDrafts();
  await addPosts(1, FEW);
  const few = await measure(FEW);
  await addPosts(FEW + 1, MANY);
  const many = await measure(MANY);
  compareSizes([FEW, few], [MANY, many]);
  await withDeps(siteMap);
} finally {
  await sql.end();
  await database.stop();
}
