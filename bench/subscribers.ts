/**
 * Whether a hundred thousand subscribers are as fast as ten: the list, a page of a
 * state, a search, the count of a campaign's readers, and one batch of a campaign's
 * letters, which is a transaction of ten letters with their jobs. Each beside the
 * same with ten subscribers, measured in the same run. Ends with 1 when one is too slow.
 */
import { openDeps } from '../apps/api/src/open.ts';
import { countFor, list } from '../apps/api/src/features/newsletter/newsletter.ts';
import { writeLetters } from '../apps/api/src/features/newsletter/pace.ts';
import { compareSizes, medians, type Questions } from './grown.ts';
import { startDatabase } from './service.ts';

const FEW = 10;
const MANY = 100_000;
/** Added at once. */
const BATCH = 5_000;
/** Half a minute of this pace is a batch of ten. */
const PER_MINUTE = 20;

const database = await startDatabase();
const { deps, close } = openDeps({ ...database, poolSize: 2 });
const { sql, db } = deps;

/** Asked a minute apart; one of ten has left, and one of ten reads German. */
async function addSubscribers(first: number, last: number): Promise<void> {
  for (let at = first; at <= last; at += BATCH) {
    await addBatch(at, Math.min(last, at + BATCH - 1));
  }
  await sql`analyze subscribers`;
}

async function addBatch(first: number, last: number): Promise<void> {
  await sql`
    insert into subscribers (id, email, locale, state, asked_at, confirmed_at, left_at)
    select uuidv7(), 'person-' || n || '@example.com', case when n % 10 = 5 then 'de' else 'en' end,
      case when n % 10 = 9 then 'left' else 'confirmed' end,
      now() - n * interval '1 minute', now() - n * interval '1 minute',
      case when n % 10 = 9 then now() end
    from generate_series(${first}::int, ${last}::int) as n`;
}

/** A campaign on its way: half of its readers have it, where there are more than one batch. */
async function nextCampaign(): Promise<void> {
  await sql`truncate campaign_letters, campaign_counts, campaigns, letters, jobs.job_common`;
  await sql`
    insert into campaigns
      (id, subject, body, state, started_at, recipients, cursor, created_at, updated_at)
    select uuidv7(), 'A campaign', '<p>Words</p>', 'sending', now(), 1,
      (select id from subscribers where total > ${FEW}::int order by id offset total / 2 limit 1),
      now(), now()
    from (select count(*) as total from subscribers) as counted`;
  await sql`update campaign_pace set handed_at = now() - interval '1 minute'`;
}

/** Of as many as there are with few. */
const page = { per_page: FEW };
const questions: Questions = {
  'the newest': () => list(db, page),
  'those who left': () => list(db, { ...page, state: 'left' }),
  'an address': () => list(db, { ...page, q: 'person-7' }),
  'a beginning of all': () => list(db, { ...page, q: 'person' }),
  'the count': () => countFor(db, 'de'),
  'a batch of letters': () => writeLetters(deps),
};

const measure = () => medians(questions, { 'a batch of letters': nextCampaign });

try {
  await sql`insert into settings (slug, value, updated_at)
    values ('mail', ${sql.json({ campaign_letters_per_minute: PER_MINUTE })}, now())`;
  await addSubscribers(1, FEW);
  const few = await measure();
  await addSubscribers(FEW + 1, MANY);
  const many = await measure();
  compareSizes([FEW, few], [MANY, many]);
} finally {
  await close();
  await database.stop();
}
