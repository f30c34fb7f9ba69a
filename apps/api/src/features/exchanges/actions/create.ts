/** Creates an exchange: the quote's figures are frozen in the row, and the payout is held. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createExchange, Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { formatDecimal } from '@cambist/money/decimal';
import type { Insertable, Selectable } from 'kysely';
import type { Actor } from '#kernel/actor.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { newExchangeNumber, newId } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { FieldJson, LineJson } from '#platform/db/json-columns.ts';
import type { ExchangesTable } from '#platform/db/tables.generated.ts';
import { requireVerified } from '#features/auth/users.ts';
import { payeeSnapshot, publicCurrency } from '#features/currencies/currencies.ts';
import { checkAllAnswers } from '#features/currencies/fields.ts';
import { payoutAccountKey } from '#features/currencies/payout-account.ts';
import { hold } from '#features/ledger/ledger.ts';
import { sharePair, type PairRow } from '#features/pairs/pairs.ts';
import { valuationNow, type Valuation } from '#features/pairs/valuation.ts';
import { versionInForce } from '#features/content/legal-pages/legal-pages.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import type { ExchangeContext } from '../context.ts';
import { partsOfNew } from '../parts.ts';
import type { QuotedPrice } from '../quotes/quote-token.ts';
import { customerLimitViolation } from '../quotes/customer-limits.ts';
import { readOwnQuote, requireRedeemable } from '../quotes/quotes.ts';
import * as store from '../store/exchanges.ts';
import { countPending, lockPayoutAccount } from '../store/volumes.ts';
import { rowOf } from '../workflow.ts';
import { finishForCustomer } from './finish.ts';
import { posting, type Committed, type Customer } from './transition.ts';

type Input = BodyOf<typeof createExchange>;

/** Of 32^8 numbers one in a million is taken after a million exchanges. */
const NUMBER_ATTEMPTS = 5;
const REJECTED_COUNTS_DAYS = 7;

/**
 * @throws Refusal 403 `email_unverified`; 409 `quote_invalid`, `quote_expired`, `quote_used`,
 *   `pair_unavailable`, `limit_exceeded`, `too_many_open`, `insufficient_reserve`; 422 by answer;
 *   503 `site_closed`
 */
export async function create(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  input: Input,
): Promise<{ data: ExchangeView }> {
  const { actor } = customer;
  if (!input.terms_accepted) throw invalid({ terms_accepted: 'The terms must be accepted.' });
  // Admins may test during maintenance.
  if (actor.role !== 'admin') await refuseWhileClosed(context);
  const price = readOwnQuote(context, input.quote_token, actor.id);
  // In one round trip, as below: first the customer's lock, which the deletion of an account takes too.
  const [, user, now, found] = await Promise.all([
    store.lockCustomer(tx, actor.id),
    requireVerified(tx, actor.id),
    context.readTime(tx),
    sharePair(tx, price.pair_id),
  ]);
  const pair = requireRedeemable(price, found, now);
  const answers = readAnswers(pair, input);
  const account = answers.payout_account_key;
  const [, , valuation, payee, termsVersion] = await Promise.all([
    account !== null && lockPayoutAccount(tx, account),
    requireOpenLimit(context, tx, actor, now),
    valuationNow(tx, context.desk),
    payeeSnapshot(tx, { ...pair.send, id: pair.send_currency_id }),
    versionInForce(tx, context.termsSlug, now),
  ]);
  const ask = { userId: actor.id, pair, price, account, now, valuation };
  const violation = await customerLimitViolation(tx, context.desk, ask);
  if (violation !== null) throw new Refusal(409, 'limit_exceeded', violation);

  const row = await insertNumbered(tx, {
    ...frozenFigures(price, pair),
    ...answers,
    ...reportingValue(valuation, price, pair),
    id: newId(),
    user_id: actor.id,
    payee,
    pay_by: new Date(now.getTime() + pair.pay_minutes * MINUTE),
    terms_accepted_at: now,
    terms_version: termsVersion,
    state_changed_at: now,
    created_at: now,
  });
  const [send, receive] = [publicCurrency(pair.send), publicCurrency(pair.receive)];
  const exchange = { ...row, pair_slug: pair.slug, send, receive };
  const event = await store.insertEvent(tx, {
    exchange_id: exchange.id,
    action: 'create',
    from_state: null,
    to_state: exchange.state,
    actor_kind: 'customer',
    actor_id: actor.id,
    reason: null,
    data: { quote_side: price.side, pair_version: price.pair_version },
    at: now,
  });
  const created: Committed = {
    row: rowOf('create', 'customer'),
    before: exchange,
    exchange,
    proofs: [],
    by: customer,
    reason: null,
    now,
    eventId: event.id,
  };
  const held = posting(created, 'hold', hold(exchange));
  return finishForCustomer(context, tx, created, [held], partsOfNew(user, event));
}

/** Proofs without a payment cost the desk's time, so what was rejected counts on for some days. */
async function requireOpenLimit(
  { maxOpenExchanges }: ExchangeContext,
  tx: Tx,
  { id }: Actor,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - REJECTED_COUNTS_DAYS * DAY);
  const { open, rejected } = await countPending(tx, id, since);
  if (open + rejected < maxOpenExchanges) return;
  const refused =
    rejected === 0
      ? `You have ${open} open exchanges. Complete or cancel one of them first.`
      : `At most ${maxOpenExchanges} exchanges can be open at once. You have ${open}, and ${rejected} that were rejected without a payment, which count for ${REJECTED_COUNTS_DAYS} days.`;
  throw new Refusal(409, 'too_many_open', refused);
}

/** Writes the row under a free number. @throws Refusal 409 `quote_used` */
async function insertNumbered(
  tx: Tx,
  row: Omit<Insertable<ExchangesTable>, 'number' | 'transfer_reference'>,
): Promise<Selectable<ExchangesTable>> {
  for (let attempt = 1; attempt <= NUMBER_ATTEMPTS; attempt += 1) {
    const number = newExchangeNumber();
    // It fits every channel's reference field, and the desk's search finds it.
    const inserted = await store.insertExchange(tx, { ...row, number, transfer_reference: number });
    if (inserted === 'quote_used')
      throw new Refusal(409, 'quote_used', 'This quote has been accepted already.');
    if (inserted !== 'number_taken') return inserted;
  }
  throw new Error(`No free exchange number in ${NUMBER_ATTEMPTS} attempts.`);
}

function frozenFigures(price: QuotedPrice, pair: PairRow) {
  const {
    expires_at: _expires,
    user_id: _user,
    side: _side,
    pair_version: _version,
    ...figures
  } = price;
  return {
    ...figures,
    send_currency_id: pair.send_currency_id,
    receive_currency_id: pair.receive_currency_id,
    evidence: pair.evidence,
    complete_on_approval: pair.complete_on_approval,
    payment_reference: null,
    submitted_at: null,
    undone_at: null,
    claimed_by: null,
    claimed_until: null,
    approved_by: null,
    approved_at: null,
    completed_at: null,
    closed_reason: null,
  } as const satisfies Partial<Insertable<ExchangesTable>>;
}

function reportingValue(valuation: Valuation, price: QuotedPrice, pair: PairRow) {
  const value = valuation.valueOf(price.send_minor, pair.send);
  return {
    reporting_value: value && formatDecimal(value),
    reporting_unit: value && valuation.unit,
  };
}

/** Names are marked, so that operators are warned when they differ from the account's. */
function readAnswers(pair: PairRow, input: Input) {
  const lines = checkAllAnswers(
    { fields: pair.receive.payout_fields, answers: input.payout_fields },
    { fields: pair.send.sender_fields, answers: input.sender_fields ?? {} },
  );
  return {
    payout_account_key: payoutAccountKey(pair.receive, lines.payout_fields),
    payout_fields: markNames(lines.payout_fields, pair.receive.payout_fields),
    sender_fields: markNames(lines.sender_fields, pair.send.sender_fields),
  };
}

/** The answers about the payout alone, as they are stored. @throws Refusal 422 by answer */
export function readPayout({ receive }: PairRow, answers: Input['payout_fields']) {
  const lines = checkAllAnswers(
    { fields: receive.payout_fields, answers },
    { fields: [], answers: {} },
  );
  return {
    payout_fields: markNames(lines.payout_fields, receive.payout_fields),
    payout_account_key: payoutAccountKey(receive, lines.payout_fields),
  };
}

function markNames(lines: readonly LineJson[], fields: readonly FieldJson[]): LineJson[] {
  const names = new Set(fields.filter(({ check }) => check === 'name').map(({ label }) => label));
  return lines.map((line) => (names.has(line.label) ? { ...line, is_name: true } : line));
}
