/**
 * Currencies: one unit through one channel, with the desk's payee accounts and the fields for
 * customers. Unit and decimals never change, since the ledger counts in them.
 */
import { theField } from '@cambist/contract/field-name';
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  Currency,
  type createCurrency as createEndpoint,
  type PayeeAccount,
  type PublicCurrency,
  type updateCurrency as updateEndpoint,
} from '@cambist/contract/currencies';
import { formatAmount } from '@cambist/money/amount';
import type { By, ByAnyone } from '#kernel/actor.ts';
import { refuseIfAny, tryAmount, type FieldErrors } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { transaction, violatedConstraint, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { PayeeJson } from '#platform/db/json-columns.ts';
import * as audit from '#features/audit/audit.ts';
import { fieldErrors } from './fields.ts';
import { templateErrors } from './payee.ts';
import * as store from './store.ts';
import type { CurrencyRow, PayeeRow } from './store.ts';

export { findCurrency, lockCurrency } from './store.ts';

type Draft = BodyOf<typeof createEndpoint>;
type Changes = Omit<BodyOf<typeof updateEndpoint>, 'version'>;
type WriteDeps = Pick<Deps, 'db' | 'published'>;

const LIMITS = ['min_send', 'max_send', 'min_receive', 'max_receive'] as const;
const AUDITED = Object.keys(Currency.properties).filter(
  (field) => !['version', 'updated_at'].includes(field),
);
type Limits = Record<(typeof LIMITS)[number], bigint | null>;

export function publicCurrency(row: PublicCurrency): PublicCurrency {
  const { slug, unit, name, symbol, channel, kind, decimals } = row;
  return { slug, unit, name, symbol, channel, kind, decimals };
}

export async function list(db: Db): Promise<Currency[]> {
  const rows = await store.listCurrencies(db);
  const payees = Map.groupBy(
    await store.listPayees(
      db,
      rows.map(({ id }) => id),
    ),
    ({ currency_id }) => currency_id,
  );
  return rows.map((row) => view(row, payees.get(row.id) ?? []));
}

/** @throws Refusal 404 */
export async function get(db: Db | Tx, slug: string): Promise<Currency> {
  const row = await store.findCurrency(db, slug);
  if (row === undefined) throw notFound();
  return view(row, await store.listPayees(db, [row.id]));
}

/**
 * A copy of the payee account for one exchange.
 * @throws Refusal 409 `pair_unavailable` where the currency has no active account
 */
export async function payeeSnapshot(
  db: Db | Tx,
  currency: Pick<CurrencyRow, 'id' | 'name'>,
): Promise<PayeeJson> {
  const account = await store.findActivePayee(db, currency.id);
  if (account !== undefined) {
    const { label, details, instructions, qr_template } = account;
    return { label, details, instructions, qr_template };
  }
  throw new Refusal(
    409,
    'pair_unavailable',
    `The desk cannot take ${currency.name} at the moment.`,
  );
}

interface Change extends ByAnyone {
  readonly action: string;
  readonly subject_kind: 'currency' | 'pair';
  readonly subject_id: string;
  readonly data: Record<string, unknown>;
}

/** Audits a change of a currency or pair, and rebuilds the public answers that show them. */
export async function recordChange(
  { published }: Pick<Deps, 'published'>,
  tx: Tx,
  change: Change,
): Promise<void> {
  await audit.record(tx, change);
  await published.changed(tx, 'converter', 'rates-showcase', 'latest-exchanges', 'feeds');
}

/** Whether the given payee accounts are written, or only validated, since they wait. */
export type PayeesAre = 'written' | 'waiting';

/** @throws Refusal 422 by field */
export function create(
  deps: WriteDeps,
  by: By,
  draft: Draft,
  payeesAre: PayeesAre = 'written',
): Promise<Currency> {
  const { payee_accounts, ...fields } = draft;
  return transaction(deps.db, async (tx) => {
    const errors = definitionErrors(draft);
    const limits = readLimits(errors, draft, draft.decimals, noLimits);
    refuseIfAny(errors);

    const id = newId();
    await store.insertCurrency(tx, { ...fields, ...limits, id }).catch(refuseTaken);
    const payees = payeesOf(payee_accounts, []);
    if (payeesAre === 'written') await writePayees(tx, id, payees);
    await recordChange(deps, tx, {
      ...by,
      action: 'currency.created',
      subject_kind: 'currency',
      subject_id: id,
      data: draft,
    });
    return get(tx, draft.slug);
  });
}

/** @throws Refusal 404; 409 `version_conflict`; 422 by field */
export function update(
  deps: WriteDeps,
  by: By,
  slug: string,
  { version, ...changes }: BodyOf<typeof updateEndpoint>,
  payeesAre: PayeesAre = 'written',
): Promise<Currency> {
  return transaction(deps.db, async (tx) => {
    const row = await store.lockCurrency(tx, slug);
    if (row === undefined) throw notFound();
    if (row.version !== version) throw versionConflict();
    const { payee_accounts, ...fields } = changes;
    const errors = definitionErrors(changes);
    const limits = readLimits(errors, changes, row.decimals, row);
    refuseIfAny(errors);

    const payees = await store.listPayees(tx, [row.id]);
    const before = view(row, payees);
    await store.updateCurrency(tx, row.id, { ...fields, ...limits }).catch(refuseTaken);
    if (payee_accounts !== undefined) {
      const accounts = payeesOf(payee_accounts, payees);
      if (payeesAre === 'written') await writePayees(tx, row.id, accounts);
    }
    const now = await get(tx, slug);
    const data = { slug, changes: audit.differences(before, now, AUDITED) };
    await recordChange(deps, tx, {
      ...by,
      action: 'currency.updated',
      subject_kind: 'currency',
      subject_id: row.id,
      data,
    });
    return now;
  });
}

/** Puts the payee accounts of a change into effect that waited. The caller holds the currency's lock. */
export async function applyPayees(
  deps: Pick<Deps, 'published'>,
  tx: Tx,
  { id, slug }: Pick<CurrencyRow, 'id' | 'slug'>,
  accounts: readonly PayeeAccount[],
  by: ByAnyone,
): Promise<void> {
  const before = await get(tx, slug);
  await writePayees(tx, id, accounts);
  await store.updateCurrency(tx, id, {});
  const changes = audit.differences(before, await get(tx, slug), AUDITED);
  const subject = { subject_kind: 'currency', subject_id: id } as const;
  const data = { slug, changes };
  await recordChange(deps, tx, { ...by, action: 'currency.updated', ...subject, data });
}

function refuseTaken(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'currencies_slug_key')
    throw invalid({ slug: 'The slug has already been taken.' });
  if (constraint === 'currencies_export_code_key')
    throw invalid({ export_code: 'The export code has already been taken.' });
  throw error;
}

function view(row: CurrencyRow, payees: readonly PayeeRow[]): Currency {
  const text = (minor: bigint | null) =>
    minor === null ? null : formatAmount(minor, row.decimals);
  return {
    ...row,
    min_send: text(row.min_send),
    max_send: text(row.max_send),
    min_receive: text(row.min_receive),
    max_receive: text(row.max_receive),
    payee_accounts: payees.map(
      ({ currency_id: _currency, position: _position, ...account }) => account,
    ),
    updated_at: row.updated_at.toISOString(),
  };
}

function definitionErrors(changes: Changes): FieldErrors {
  return {
    ...fieldErrors('sender_fields', changes.sender_fields ?? []),
    ...fieldErrors('payout_fields', changes.payout_fields ?? []),
    ...templateErrors(changes.payee_accounts ?? []),
  };
}

const noLimits: Limits = { min_send: null, max_send: null, min_receive: null, max_receive: null };

/** The limits after the changes, in minor units; an omitted one keeps its value. */
function readLimits(
  errors: FieldErrors,
  changes: Changes,
  decimals: number,
  before: Limits,
): Limits {
  const limits = { ...noLimits };
  for (const field of LIMITS) {
    const text = changes[field];
    limits[field] = text
      ? tryAmount(errors, field, text, decimals)
      : text === null
        ? null
        : before[field];
    if (limits[field] === 0n)
      errors[field] = `The ${theField(field)} must be above zero, or empty for no limit.`;
  }
  for (const side of ['send', 'receive'] as const) {
    const [least, most] = [limits[`min_${side}`], limits[`max_${side}`]];
    if (least !== null && most !== null && least > most) {
      errors[`max_${side}`] = `The ${theField(`max_${side}`)} must not be below min_${side}.`;
    }
  }
  return limits;
}

/** New ones get an id. @throws Refusal 422 on an id that belongs to no account of the currency */
export function payeesOf(
  accounts: Draft['payee_accounts'],
  before: readonly Pick<PayeeAccount, 'id'>[],
): PayeeAccount[] {
  const errors: FieldErrors = {};
  accounts.forEach(({ id }, at) => {
    const known = id === undefined || before.some((row) => row.id === id);
    const twice = id !== undefined && accounts.findIndex((account) => account.id === id) < at;
    if (!known || twice)
      errors[`payee_accounts.${at}.id`] = 'This payee account does not belong to the currency.';
  });
  refuseIfAny(errors);
  return accounts.map((account) => ({ ...account, id: account.id ?? newId() }));
}

async function writePayees(
  tx: Tx,
  currency_id: string,
  accounts: readonly PayeeAccount[],
): Promise<void> {
  const rows = accounts.map((account, position) => ({ ...account, currency_id, position }));
  await store.replacePayees(tx, currency_id, rows);
}
