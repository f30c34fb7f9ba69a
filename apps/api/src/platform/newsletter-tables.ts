/** The tables of the newsletter: `09_newsletter_and_contact.sql`. */
import type { CampaignState } from '@cambist/contract/campaigns';
import type { Blamed } from '@cambist/contract/mail-answers';
import type { SubscriberState } from '@cambist/contract/newsletter';
import type { ImportState, SubscriberImport } from '@cambist/contract/subscriber-imports';
import type { Generated } from 'kysely';
import type { Json } from './columns.ts';

export interface SubscribersTable {
  id: string;
  email: string;
  locale: string;
  state: SubscriberState;
  source: Generated<'form' | 'import'>;
  import_id: Generated<string | null>;
  suspected: Generated<boolean>;
  asked_at: Date;
  confirmed_at: Date | null;
  left_at: Date | null;
  bounced_at: Generated<Date | null>;
  bounce_words: Generated<string | null>;
}

interface SubscriberCountsTable {
  state: SubscriberState;
  /** Told apart among the confirmed only; else empty. */
  locale: string;
  count: number;
}

interface ForgottenSubscribersTable {
  email_hash: Buffer;
  at: Date;
}

export interface SubscriberImportsTable {
  id: string;
  name: string;
  state: ImportState;
  consent: Generated<string>;
  consented_on: string | null;
  stored_name: string | null;
  size_bytes: number;
  read_bytes: Generated<number>;
  lines: Generated<number>;
  written_line: Generated<number>;
  added: Generated<number>;
  known: Generated<number>;
  left_before: Generated<number>;
  marked: Generated<number>;
  repeated: Generated<number>;
  invalid: Generated<number>;
  faults: Json<SubscriberImport['faults']>;
  not_understood: Generated<number>;
  /** What stands for a language in the column of these, too. */
  unknown_words: Generated<SubscriberImport['unknown_words']>;
  address_column: Generated<string | null>;
  state_columns: Generated<string[]>;
  locale_column: Generated<string | null>;
  fault: SubscriberImport['fault'];
  created_by: string | null;
  created_by_name: string | null;
  created_at: Date;
  done_at: Date | null;
}

export interface ImportRowsTable {
  import_id: string;
  line: number;
  email: string;
  locale: string;
  email_hash: Buffer;
}

export interface CampaignsTable {
  id: string;
  subject: Generated<string>;
  preview: Generated<string>;
  body: Generated<string>;
  locale: string | null;
  state: Generated<CampaignState>;
  /** Why it paused by itself; `seen` once somebody has acted on that. Either way it does so no more. */
  paused_for: 'refusals' | 'seen' | null;
  version: Generated<number>;
  scheduled_at: Date | null;
  started_at: Date | null;
  done_at: Date | null;
  recipients: number | null;
  cursor: string | null;
  written_at: Date | null;
  created_by: string | null;
  created_by_name: string | null;
  saved_by: string | null;
  saved_by_name: string | null;
  created_at: Date;
  updated_at: Date;
}

export type CampaignLetterState = 'queued' | 'sent' | 'failed' | 'bounced' | 'skipped';

interface CampaignLettersTable {
  id: string;
  campaign_id: string;
  subscriber_id: string;
  state: Generated<CampaignLetterState>;
  ended_at: Generated<Date | null>;
  /** Sent back after a server had taken it. */
  returned_for: Generated<Blamed | null>;
}

interface CampaignCountsTable {
  campaign_id: string;
  state: CampaignLetterState | 'ended';
  count: number;
}

interface CampaignPaceTable {
  is_only: Generated<boolean>;
  handed_at: Date;
}

export interface NewsletterTables {
  subscribers: SubscribersTable;
  subscriber_counts: SubscriberCountsTable;
  forgotten_subscribers: ForgottenSubscribersTable;
  subscriber_imports: SubscriberImportsTable;
  subscriber_import_rows: ImportRowsTable;
  campaigns: CampaignsTable;
  campaign_letters: CampaignLettersTable;
  campaign_counts: CampaignCountsTable;
  campaign_pace: CampaignPaceTable;
}
