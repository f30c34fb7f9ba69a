/** All tables by name; those of the foundation stand here, the others in their own files. */
import type { ColumnType, Generated } from 'kysely';
import type { Json, Stamp } from './columns.ts';
import type {
  ContactEntriesTable,
  ContactSubmissionsTable,
  FeatureReportsTable,
  LegalPageRedirectsTable,
  LegalPagesTable,
  LegalPageVersionsTable,
  LegalPageCopiesTable,
  MediaFilesTable,
  MediaTable,
  MediaUsesTable,
  PolicyReportsTable,
  PostLinksTable,
  PostRedirectsTable,
  PostRevisionsTable,
  PostTagsTable,
  PostsTable,
} from './content-tables.ts';
import type {
  ExchangesTable,
  ExchangeEventsTable,
  ProofsTable,
  ProofUploadsTable,
  ReconciliationsTable,
} from './exchange-tables.ts';
import type { LetterCountsTable, LettersTable } from './letters-table.ts';
import type { NewsletterTables } from './newsletter-tables.ts';
import type { RateAlertsTable } from './rate-alerts-table.ts';
import type {
  MarketNewestTable,
  MarketPastTable,
  MarketQuestionsTable,
  MarketRatesTable,
  RateProviderStatesTable,
  RateQuarantineTable,
  RateRunsTable,
  RateWatchTable,
} from './rate-tables.ts';
import type {
  IdentitiesTable,
  PasskeysTable,
  ProviderFlowsTable,
  RecoveryCodesTable,
  SignInChallengesTable,
  TotpFactorsTable,
} from './sign-in-tables.ts';
import type {
  CurrenciesTable,
  PayeeAccountsTable,
  LedgerAccountsTable,
  LedgerTransactionsTable,
  LedgerEntriesTable,
  PairsTable,
  PairRatesTable,
  PairRatesThinnedTable,
} from './money-tables.ts';

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  password_hash: string | null;
  /** Of the password that the desk took away, until the next one is chosen. */
  taken_password_hash: Generated<string | null>;
  role: ColumnType<'user' | 'admin', 'user' | 'admin' | undefined, 'user' | 'admin'>;
  permissions: ColumnType<string[], string[] | undefined, string[]>;
  locale: Generated<string>;
  email_verified_at: Date | null;
  terms_accepted_at: Date | null;
  disabled_at: Date | null;
  last_seen_at: Date | null;
  /** A new address that waits for its confirmation. */
  pending_email: string | null;
  /** Since when a second factor is asked for; null without one. */
  two_factor_at: Date | null;
  /** When the last letter to confirm an address was written. */
  verification_sent_at: Date | null;
  /** A path of the frontend to go on to once the address is proved. */
  verification_next: Generated<string | null>;
  /** Its personal data is gone; the row stays for the records of money. */
  deleted_at: Date | null;
  created_at: Stamp;
}

export interface SessionsTable {
  /** What people may call it; it opens nothing. */
  id: Generated<string>;
  id_hash: Buffer;
  user_id: string;
  remember: Generated<boolean>;
  ip: string | null;
  user_agent: string | null;
  created_at: Stamp;
  last_used_at: Stamp;
  confirmed_at: Stamp;
}

/** Filled by the database as sessions are deleted. */
export interface EndedSessionsTable {
  id_hash: Buffer;
  ended_at: Stamp;
}

export interface KnownDevicesTable {
  user_id: string;
  device_hash: Buffer;
  last_used_at: Date;
}

export interface KnownBrowsersTable {
  token_hash: Buffer;
  user_id: string;
  last_used_at: Date;
}

export interface BrowserLinksTable {
  token_hash: Buffer;
  user_id: string;
  requested_at: Date;
  expires_at: Date;
}

export interface PasswordResetsTable {
  user_id: string;
  token_hash: Buffer;
  requested_at: Stamp;
  expires_at: Date;
}

export interface SettingsTable {
  slug: string;
  value: Json<Record<string, unknown>>;
  version: Generated<number>;
  updated_by: string | null;
  updated_at: Stamp;
}

export interface SettingSecretsTable {
  slug: string;
  name: string;
  sealed: Buffer;
  last_four: string;
  updated_by: string | null;
  updated_at: Stamp;
}

/** What was written of settings and when; of secrets only that they were. */
export interface SettingChangesTable {
  id: Generated<number>;
  slug: string;
  kind: 'written' | 'restored' | 'secret_written' | 'secret_removed';
  version: number | null;
  restored: number | null;
  /** Restored as somebody chose it from the list, and not by undo or redo. */
  chosen: Generated<boolean>;
  secret: string | null;
  before: Json<Record<string, unknown> | null>;
  value: Json<Record<string, unknown> | null>;
  /** Worked out by the database: it left the very value that it found. */
  same: ColumnType<boolean, never, never>;
  author_id: string | null;
  author_name: string | null;
  at: Date;
}

export interface AuditEventsTable {
  id: Generated<number>;
  at: Stamp;
  actor_kind: 'guest' | 'user' | 'admin' | 'system';
  actor_id: string | null;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  data: Json<Record<string, unknown>>;
  ip: string | null;
  request_id: string | null;
}

export interface TaskRunsTable {
  task: string;
  slot: Date;
  started_at: Stamp;
  finished_at: Date | null;
  outcome: 'done' | 'failed' | null;
  detail: string | null;
  /** The admin who asked for it by hand; null for the schedule. */
  asked_by: string | null;
}

export interface IdempotencyKeysTable {
  actor: string;
  route: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  body: Json<unknown> | null;
  created_at: Stamp;
}

export interface Tables extends NewsletterTables {
  users: UsersTable;
  sessions: SessionsTable;
  ended_sessions: EndedSessionsTable;
  known_devices: KnownDevicesTable;
  known_browsers: KnownBrowsersTable;
  browser_links: BrowserLinksTable;
  password_resets: PasswordResetsTable;
  letters: LettersTable;
  letter_counts: LetterCountsTable;
  totp_factors: TotpFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  sign_in_challenges: SignInChallengesTable;
  identities: IdentitiesTable;
  provider_flows: ProviderFlowsTable;
  settings: SettingsTable;
  setting_secrets: SettingSecretsTable;
  setting_changes: SettingChangesTable;
  audit_events: AuditEventsTable;
  task_runs: TaskRunsTable;
  idempotency_keys: IdempotencyKeysTable;
  legal_pages: LegalPagesTable;
  legal_page_versions: LegalPageVersionsTable;
  legal_page_copies: LegalPageCopiesTable;
  legal_page_redirects: LegalPageRedirectsTable;
  policy_reports: PolicyReportsTable;
  media: MediaTable;
  media_files: MediaFilesTable;
  media_uses: MediaUsesTable;
  posts: PostsTable;
  post_revisions: PostRevisionsTable;
  post_tags: PostTagsTable;
  post_links: PostLinksTable;
  post_redirects: PostRedirectsTable;
  contact_submissions: ContactSubmissionsTable;
  contact_entries: ContactEntriesTable;
  feature_reports: FeatureReportsTable;
  currencies: CurrenciesTable;
  payee_accounts: PayeeAccountsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  pairs: PairsTable;
  pair_rates: PairRatesTable;
  pair_rates_thinned: PairRatesThinnedTable;
  market_rates: MarketRatesTable;
  market_past: MarketPastTable;
  market_newest: MarketNewestTable;
  market_questions: MarketQuestionsTable;
  rate_runs: RateRunsTable;
  rate_provider_states: RateProviderStatesTable;
  rate_quarantine: RateQuarantineTable;
  rate_alerts: RateAlertsTable;
  rate_watch: RateWatchTable;
  exchanges: ExchangesTable;
  exchange_events: ExchangeEventsTable;
  proofs: ProofsTable;
  proof_uploads: ProofUploadsTable;
  reconciliations: ReconciliationsTable;
}
