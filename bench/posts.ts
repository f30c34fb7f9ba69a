/**
 * Whether ten thousand posts are read as fast as ten: the list, its last page, a
 * tag, a search, all tags and the addresses for the site map. No answer is asked
 * for twice in the same words, so each is built from the database, which is the
 * slow way: readers are answered from memory. Ends with 1 when one is too slow.
 */
import { connect } from '../apps/api/src/platform/database.ts';
import { startService } from './service.ts';

const FEW = 10;
const MANY = 10_000;
const ASKED = 40;
const WARM_UP = 10;
/** What a reader does not notice, on a machine that does other things too. */
const LIMIT_MS = 60;
const service = await startService();
const sql = connect(service.databaseUrl, 1);

/** Posts from `first` on, ten minutes apart; every fiftieth has the same tag. */
async function addPosts(first: number, last: number): Promise<void> {
  await sql`
    insert into posts (id, slug, title, excerpt, body, body_text, tags, published_at, announced_at, draft)
    select gen_random_uuid(), 'post-' || n, 'Post ' || n, 'About word' || n,
      '<p>Rates</p>', repeat('Some words about rates and word' || n || '. ', 40),
      array['Tag ' || n % 50, 'Rates'], now() - n * interval '10 minutes', now(), '{}'::jsonb
    from generate_series(${first}::int, ${last}::int) as n`;
  await sql`analyze posts`;
}

/** Each size of a page is asked for once, so no answer is one that is kept. */
const questions: Readonly<Record<string, (size: number, posts: number) => string>> = {
  'the newest': (size) => `per_page=${size}`,
  'the last page': (size, posts) => `per_page=${size}&page=${Math.ceil(posts / size)}`,
  'a tag': (size) => `per_page=${size}&tag=Tag%201`,
  'a rare word': (size) => `per_page=${size}&q=word1`,
  'a word of all': (size) => `per_page=${size}&q=rates`,
};

async function ask(path: string): Promise<number> {
  const before = performance.now();
  const answer = await fetch(service.origin + path);
  await answer.arrayBuffer();
  const spent = performance.now() - before;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return spent;
}

/** With pages of `smallest` posts and more. */
async function medians(posts: number, smallest: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [name, wordsOf] of Object.entries(questions)) {
    const times: number[] = [];
    for (let turn = 0; turn < ASKED + WARM_UP; turn += 1) {
      const spent = await ask(`/api/public/blogs?${wordsOf(smallest + turn, posts)}`);
      if (turn >= WARM_UP) times.push(spent);
    }
    found.set(name, times.toSorted((one, other) => one - other)[ASKED >> 1] ?? Number.NaN);
  }
  return found;
}

try {
  await sql`delete from posts`;
  await addPosts(1, FEW);
  const few = await medians(FEW, 1);
  await addPosts(FEW + 1, MANY);
  const many = await medians(MANY, 1 + WARM_UP + ASKED);
  console.log(`medians of ${ASKED}, each built from the database; at most ${LIMIT_MS} ms`);
  for (const [name, spent] of many) {
    const beside = few.get(name) ?? Number.NaN;
    console.log(
      `  ${name.padEnd(15)} ${FEW} posts ${beside.toFixed(1).padStart(6)} ms   ${MANY} posts ${spent.toFixed(1).padStart(6)} ms${spent > LIMIT_MS ? '  TOO SLOW' : ''}`,
    );
    if (spent > LIMIT_MS) process.exitCode = 1;
  }
  for (const path of [
    '/api/public/blog-tags',
    '/api/public/blog-addresses',
    '/api/public/blog-address-parts',
  ]) {
    console.log(`  ${path}: ${(await ask(path)).toFixed(1)} ms the first time`);
  }
} finally {
  await sql.end();
  await service.stop();
}
