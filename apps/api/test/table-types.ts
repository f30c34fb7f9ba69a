/**
 * The types of all tables, as kysely-codegen reads them from a migrated database. A column's check of
 * its values narrows it to a union; what only the code knows, such as the shape of JSON, stands here.
 */
import { resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import {
  PostgresDialect,
  serializeFromMetadata,
  TypeScriptSerializer,
  type ColumnMetadata,
  type IdentifierNode,
  type PostgresDB,
} from 'kysely-codegen';
import { PostgresJSDialect } from 'kysely-postgres-js';
import type { Sql } from '#platform/db/database.ts';

export const TABLE_TYPES = resolve(import.meta.dirname, '../src/platform/db/tables.generated.ts');

/** As `connect` in platform/db/database.ts parses them. */
const TYPES = { date: 'string', int8: 'number', numeric: 'string', timestamptz: 'Date' };

/** The types of columns that the catalogue does not know; null and defaults are added to them. */
const SHAPES: Readonly<Record<string, string>> = {
  'audit_events.data': 'Record<string, unknown>',
  'content_revisions.content': 'object',
  'currencies.payout_fields': 'FieldJson[]',
  'currencies.sender_fields': 'FieldJson[]',
  'emails.data': 'Record<string, unknown>',
  'exchange_events.data': 'Record<string, unknown>',
  'exchange_events.from_state': 'ExchangeState',
  'exchange_events.to_state': 'ExchangeState',
  'exchange_recalculations.new_figures': 'Record<string, unknown>',
  'exchange_recalculations.old_figures': 'Record<string, unknown>',
  'exchange_payouts.account': 'LineJson[]',
  'exchange_views.filters': 'DeskViewFilters',
  'exchanges.evidence': "'proof' | 'reference' | 'either'",
  'exchanges.fee_terms': 'FeeTermsJson',
  'exchanges.payee': 'PayeeJson',
  'exchanges.payout_fields': 'LineJson[]',
  'exchanges.payout_history': 'PayoutChangeJson[]',
  'exchanges.sender_fields': 'LineJson[]',
  'idempotency_keys.body': 'unknown',
  'legal_pages.draft': 'LegalPageContent',
  'pairs.hours': 'HoursJson[]',
  'pairs.tiers': 'TierJson[]',
  'payee_accounts.details': 'LineJson[]',
  'payout_accounts.fields': 'Record<string, string>',
  'pending_changes.after': 'unknown',
  'pending_changes.before': 'unknown',
  'posts.draft': 'PostContent',
  'posts.draft_tags': 'string[]',
  'rate_runs.attempts': 'AttemptJson[]',
  'rate_runs.rejections': 'RejectionJson[]',
  'reconciliations.differences': 'unknown[]',
  'settings.value': 'Record<string, unknown>',
};

/** Set by a trigger, and never by a statement. */
const SET_BY_TRIGGER = new Set(['ledger_entries.id', 'ledger_entries.balance_after']);

const JSON_NAMES = Object.values(SHAPES).flatMap((type) => type.match(/\w+Json/g) ?? []);

/** Where the names in `SHAPES` and below are declared. */
const IMPORTS: Readonly<Record<string, string>> = {
  GeneratedAlways: 'kysely',
  DeskViewFilters: '@cambist/contract/desk-views',
  ExchangeState: '@cambist/contract/exchanges',
  LegalPageContent: '@cambist/contract/legal-page-writing',
  PostContent: '@cambist/contract/blog',
  ...Object.fromEntries(JSON_NAMES.map((name) => [name, './json-columns.ts'])),
};

/** The text of `tables.generated.ts` for the database. */
export async function tableTypes(postgres: Sql): Promise<string> {
  // The driver lends no connection that is not open yet, unless it asks it for types first.
  await postgres`select 1`;
  const db = new Kysely<PostgresDB>({ dialect: new PostgresJSDialect({ postgres }) });
  const dialect = new PostgresDialect();
  const metadata = await dialect.introspector.introspect({
    db,
    includePattern: 'public.*',
    excludePattern: 'public.schema_migrations',
  });
  const facts = await readFacts(db);
  const columns: Record<string, string> = {};
  for (const table of metadata.tables) {
    for (const column of table.columns) {
      const name = `${table.name}.${column.name}`;
      const { choices, is_minor, is_generated } = facts.get(name) ?? {};
      if (choices) column.enumValues = choices.toSorted();
      const isGenerated = is_generated || SET_BY_TRIGGER.has(name);
      const type = SHAPES[name] ?? (is_minor ? 'bigint' : isGenerated ? scalar(column) : undefined);
      if (type !== undefined) columns[name] = typeOf(column, type, isGenerated);
    }
  }
  return serializeFromMetadata({
    dialect,
    metadata,
    overrides: { columns },
    typeMapping: TYPES,
    customImports: IMPORTS,
    serializer: new Names(),
    startTime: 0,
  });
}

interface Fact {
  /** Whole units: `numeric(48, 0)`. */
  readonly is_minor: boolean;
  /** Computed or numbered by the database; a statement cannot write it. */
  readonly is_generated: boolean;
  /** The values that a check allows. */
  readonly choices: string[] | null;
}

async function readFacts(db: Kysely<PostgresDB>): Promise<Map<string, Fact>> {
  const { rows } = await sql<Fact & { name: string }>`
    select c.table_name || '.' || c.column_name as name,
      c.data_type = 'numeric' and c.numeric_scale = 0 as is_minor,
      c.is_generated = 'ALWAYS' or c.identity_generation is not distinct from 'ALWAYS' as is_generated,
      (
        select array_agg(literal[1])
        from pg_constraint k,
          regexp_match(pg_get_constraintdef(k.oid), '^CHECK \\(\\((\\w+) = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)$') as found,
          regexp_matches(found[2], '''([^'']*)''', 'g') as literal
        where k.conrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
          and found[1] = c.column_name
      ) as choices
    from information_schema.columns c
    where c.table_schema = 'public'`.execute(db);
  return new Map(rows.map(({ name, ...fact }) => [name, fact]));
}

function scalar({ dataType }: ColumnMetadata): string {
  if (dataType === 'int4' || dataType === 'int8') return 'number';
  return dataType === 'bool' ? 'boolean' : 'string';
}

function typeOf(column: ColumnMetadata, type: string, isGenerated: boolean): string {
  const whole = column.isNullable && type !== 'unknown' ? `${type} | null` : type;
  if (isGenerated) return `GeneratedAlways<${whole}>`;
  return column.hasDefaultValue ? `Generated<${whole}>` : whole;
}

/** `users` → `UsersTable`, and all of them `Tables`. */
class Names extends TypeScriptSerializer {
  override serializeIdentifier(node: IdentifierNode): string {
    if (node.name === 'DB') return 'Tables';
    return node.isTableIdentifier ? `${node.name}Table` : node.name;
  }
}
