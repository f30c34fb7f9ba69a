/**
 * Creating an exchange: the quote's figures are frozen, the payout is held, and
 * everything the customer was promised is copied into the row. Runs within the
 * caller's transaction; the hold is left to the caller, as its last statement.
 */
import { formatAmount } from '@cambist/money/amount';
import type { Insertable } from 'kysely';
import type { Actor } from '#kernel/actor.ts';
import { MINUTE } from '#kernel/clock.ts';
import { newExchangeNumber, newId } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/database.ts';
import type { FieldJson, LineJson } from '#platform/json-columns.ts';
import type { ExchangesTable } from '#platform/tables.generated.ts';
import { checkAllAnswers, payeeSnapshot, type Answers } from '#features/currencies/currencies.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import type { QuotedPrice } from './quote-token.ts';
import { redeem } from './quotes.ts';
import * as store from './store.ts';
import { announce, factsOf, type Applied, type Work } from './transition.ts';
import { volumeFault } from './volume.ts';
import { rowOf } from './workflow.ts';

export interface CreationAsk {
  readonly quote_token: string;
  readonly payout_fields: Answers;
  readonly sender_fields?: Answers;
}

/** After a million exchanges one new number in a million is taken already, of 32^8; five in a row never are. */
const NUMBER_ATTEMPTS = 5;

/**
 * Writes the row and its first event.
 * @throws Refusal 403 `email_unverified`; 409 `quote_invalid`, `quote_expired`, `quote_used`,
 *   `pair_unavailable`, `limit_exceeded`, `too_many_open`; 422 by answer
 */
export async function createIn(
  work: Work,
  tx: Tx,
  actor: Actor,
  ask: CreationAsk,
): Promise<Applied> {
  await store.lockCustomer(tx, actor.id);
  await checkCustomer(tx, actor);
  const now = await work.moment(tx);
  const { price, pair } = await redeem(work, tx, { token: ask.quote_token, userId: actor.id, now });
  const answers = readAnswers(pair, ask);
  await checkOpen(work, tx, actor);
  const fault = await volumeFault(tx, pair, { userId: actor.id, sendMinor: price.send_minor, now });
  if (fault !== null) throw new Refusal(409, 'limit_exceeded', fault);

  const number = await insertNumbered(tx, pair, {
    ...frozen(price, pair),
    ...answers,
    id: newId(),
    user_id: actor.id,
    pay_by: new Date(now.getTime() + pair.pay_minutes * MINUTE),
    terms_accepted_at: now,
    state_changed_at: now,
    created_at: now,
  });
  const exchange = await store.findExchange(tx, number);
  if (!exchange) throw new Error('An exchange that was just written is not there.');
  const eventId = await store.insertEvent(tx, {
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
  await announce(work, tx, exchange);
  return {
    row: rowOf('create', 'customer'),
    exchange,
    proofs: [],
    facts: factsOf(work, exchange, 0, actor.id, now),
    by: { who: 'customer', actor },
    eventId,
  };
}

/** After the lock, which whoever deletes the account takes too. */
async function checkCustomer(tx: Tx, { id }: Actor): Promise<void> {
  const customer = await store.findStanding(tx, id);
  if (!customer || customer.disabled_at)
    throw new Refusal(401, 'unauthenticated', 'Unauthenticated.');
  if (customer.email_verified_at) return;
  throw new Refusal(
    403,
    'email_unverified',
    'Confirm your e-mail address first: follow the link in our letter, or ask for another one.',
  );
}

type Numbered = 'number' | 'transfer_reference' | 'payee';

/**
 * Writes the row under a free number and answers the number.
 * @throws Refusal 409 `quote_used`
 */
async function insertNumbered(
  tx: Tx,
  { send, send_currency_id: id }: PairRow,
  row: Omit<Insertable<ExchangesTable>, Numbered>,
): Promise<string> {
  const amount = formatAmount(row.send_minor, send.decimals);
  for (let attempt = 1; attempt <= NUMBER_ATTEMPTS; attempt += 1) {
    const number = newExchangeNumber();
    const outcome = await store.insertExchange(tx, {
      ...row,
      number,
      // Eight letters fit every channel's reference field and are found by the desk's search.
      transfer_reference: number,
      payee: await payeeSnapshot(tx, { ...send, id }, amount, number),
    });
    if (outcome === 'inserted') return number;
    if (outcome === 'quote_used')
      throw new Refusal(409, 'quote_used', 'This quote has been accepted already.');
  }
  throw new Error(`${NUMBER_ATTEMPTS} new exchange numbers were all taken.`);
}

function frozen(price: QuotedPrice, pair: PairRow) {
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
    received_minor: null,
    approved_by: null,
    approved_at: null,
    payout_reference: null,
    completed_at: null,
    closed_reason: null,
  } as const satisfies Partial<Insertable<ExchangesTable>>;
}

/** Names are marked, so that the desk can compare them with the account's. */
function readAnswers(pair: PairRow, ask: CreationAsk) {
  const lines = checkAllAnswers(
    { fields: pair.receive.payout_fields, answers: ask.payout_fields },
    { fields: pair.send.sender_fields, answers: ask.sender_fields ?? {} },
  );
  return {
    payout_fields: markNames(lines.payout_fields, pair.receive.payout_fields),
    sender_fields: markNames(lines.sender_fields, pair.send.sender_fields),
  };
}

function markNames(lines: readonly LineJson[], fields: readonly FieldJson[]): LineJson[] {
  const names = new Set(fields.filter(({ check }) => check === 'name').map(({ label }) => label));
  return lines.map((line) => (names.has(line.label) ? { ...line, is_name: true } : line));
}

async function checkOpen(work: Work, tx: Tx, actor: Actor): Promise<void> {
  if ((await store.countOpen(tx, actor.id)) < work.maxOpenExchanges) return;
  throw new Refusal(
    409,
    'too_many_open',
    `You have ${work.maxOpenExchanges} open exchanges. Complete or cancel one of them first.`,
  );
}
