/** What people wrote to the demo desk, and the subscribers of its newsletter. No email goes out. */
import type { Insertable } from 'kysely';
import { DAY, HOUR } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import type { Tx } from '#platform/db/database.ts';
import type {
  CampaignsTable,
  ContactEntriesTable,
  ContactSubmissionsTable,
  FeatureReportsTable,
  SubscribersTable,
} from '#platform/db/tables.generated.ts';
import { readJson } from './files.ts';
import type { Person } from './people.ts';

type Row<Table, Columns extends keyof Insertable<Table>> = Pick<Insertable<Table>, Columns>;

type DemoMessage = Row<
  ContactSubmissionsTable,
  'name' | 'email' | 'topic' | 'message' | 'state' | 'suspected'
> & {
  readonly hoursAgo: number;
  readonly entries?: readonly Row<ContactEntriesTable, 'kind' | 'body'>[];
};

type DemoReport = Row<FeatureReportsTable, 'title' | 'description' | 'page' | 'state' | 'note'> & {
  readonly hoursAgo: number;
};

interface DemoNewsletter {
  readonly readers: readonly (Row<SubscribersTable, 'email' | 'state'> & {
    readonly daysAgo: number;
    readonly locale?: string;
  })[];
  readonly campaign: Row<CampaignsTable, 'subject' | 'preview' | 'body' | 'locale'>;
}

/** Messages and reports in every state; `operator` answered them. */
export async function seedMessages(tx: Tx, now: Date, operator: Person): Promise<void> {
  const hoursBefore = (hours: number) => new Date(now.getTime() - hours * HOUR);
  for (const { hoursAgo, entries = [], ...message } of readJson<DemoMessage[]>('messages.json')) {
    const id = newId();
    const entry_words = entries.map(({ body }) => body).join(' ');
    const created_at = hoursBefore(hoursAgo);
    await tx
      .insertInto('contact_submissions')
      .values({ id, ...message, exchange_number: '', entry_words, created_at })
      .execute();
    for (const entry of entries) {
      await tx
        .insertInto('contact_entries')
        .values({
          id: newId(),
          submission_id: id,
          ...entry,
          author_id: operator.id,
          author_name: operator.name,
          at: hoursBefore(hoursAgo - 1),
        })
        .execute();
    }
  }
  for (const { hoursAgo, ...report } of readJson<DemoReport[]>('reports.json')) {
    const row = { id: newId(), ...report, created_at: hoursBefore(hoursAgo) };
    await tx.insertInto('feature_reports').values(row).execute();
  }
}

/** Subscribers who asked, confirmed and left, and a campaign that `operator` is writing. */
export async function seedNewsletter(tx: Tx, now: Date, operator: Person): Promise<void> {
  const daysBefore = (days: number) => new Date(now.getTime() - days * DAY);
  const { readers, campaign } = readJson<DemoNewsletter>('newsletter.json');
  for (const { daysAgo, locale = 'en', ...reader } of readers) {
    const asked_at = daysBefore(daysAgo);
    const confirmed_at = reader.state === 'pending' ? null : asked_at;
    const left_at = reader.state === 'left' ? daysBefore(daysAgo - 30) : null;
    const row = { id: newId(), ...reader, locale, asked_at, confirmed_at, left_at };
    await tx.insertInto('subscribers').values(row).execute();
  }
  const yesterday = daysBefore(1);
  const written = { created_by: operator.id, created_by_name: operator.name };
  await tx
    .insertInto('campaigns')
    .values({ id: newId(), ...campaign, ...written, created_at: yesterday, updated_at: yesterday })
    .execute();
}
