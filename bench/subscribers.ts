/**
 * Whether a hundred thousand subscribers are as fast as ten: the list, a page of a
 * state, a search, the count of subscribers by language, and one batch of a campaign's
 * emails, which is a transaction of ten jobs. Each beside the
 * same with ten subscribers, measured in the same run. Ends with 1 when one is too slow.
 */
import { openDeps } from '../apps/api/src/open.ts';
import { countLocales } from '../apps/api/src/features/newsletter/store.ts';
import { handOverBatch } from '../apps/api/src/features/newsletter/sending.ts';
import { list } from '../apps/api/src/features/newsletter/subscribers.ts';
import { compareSizes, medians, type Questions } from './grown.ts';
import { startDatabase } from './service.ts';

const FEW = 10;
const MANY = 100_000;
/** Added at once. */
const BATCH = 5_000;
/** A batch of ten. */
const PER_MINUTE = 60;

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

/** A campaign that is being sent: half of its emails are sent, where there is more than one batch. */
async function nextCampaign(): Promise<void> {
  await sql`truncate campaign_emails, campaigns, jobs.job_common`;
  await sql`
    insert into campaigns
      (id, subject, body, state, started_at, recipients, created_at, updated_at)
    values (uuidv7(), 'A campaign', '<p>Text</p>', 'sending', now(), 1, now(), now())`;
  await sql`
    insert into campaign_emails (id, campaign_id, subscriber_id, state)
    select uuidv7(), c.id, s.id,
      case when s.at > ${FEW}::int and s.at % 2 = 0 then 'sent' else 'queued' end
    from campaigns c, (select id, row_number() over (order by id) as at from subscribers
      where state = 'confirmed') s`;
}

/** Of as many as there are with few. */
const page = { per_page: FEW };
const questions: Questions = {
  'the newest': () => list(db, page),
  'those who left': () => list(db, { ...page, state: 'left' }),
  'an address': () => list(db, { ...page, q: 'person-7' }),
  'a beginning of all': () => list(db, { ...page, q: 'person' }),
  'the count': () => countLocales(db),
  'a batch of emails': () => handOverBatch(deps),
};

const measure = () => medians(questions, { 'a batch of emails': nextCampaign });

try {
  await sql`insert into settings (slug, value, updated_at)
    values ('mail', ${sql.json({ campaign_emails_per_minute: PER_MINUTE })}, now())`;
  await addSubscribers(1, FEW);
  const few = await measure();
  await addSubscribers(FEW + 1, MANY);
  const many = await measure();
  compareSizes([FEW, few], [MANY, many]);
} finally {
  await close();
  await database.stop();
}
