/**
 * Reserve alerts: anyone can type any address, so the answer does not depend on it, and the address
 * confirms by the link of an email, as a subscriber does.
 */
import type { BodyOf, ReplyOf } from '@cambist/contract/endpoint';
import type { askReserveAlert, getReserveAlert } from '@cambist/contract/alerts';
import { formatAmount } from '@cambist/money/amount';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { deleteEmailsTo, enqueueEmail, type Email } from '#features/email/email.ts';
import { available } from '#features/ledger/ledger.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { findPair } from '#features/pairs/pairs.ts';
import { readAmount } from '#kernel/amount-field.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_ADDRESS_MS } from '#platform/security/form-stamp.ts';
import { readSignedId, signedId } from '#platform/security/signed-id.ts';
import { confirmEmail, payableEmail } from './emails.ts';
import { sendDue, type AlertDeps } from './sending.ts';
import * as store from './store.ts';

type LinkDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

const PURPOSE = 'reserve alert';
const CONFIRM = 'reserve-alert-confirm';
const PAYABLE = 'reserve-alert';
const LINK_DAYS = 7;
const ALERT_DAYS = 30;
/** Between two emails that ask to confirm the same. */
const PAUSE_MS = 10 * MINUTE;
/** Of one address; more are taken for somebody else's play. */
const MOST = 5;

/**
 * What a bot asks for is dropped.
 * @throws Refusal 422 on `pair` and `amount`; 503 `site_closed`
 */
export async function ask(
  deps: AlertDeps,
  { pair: slug, amount, email, locale = 'en', website, stamp }: BodyOf<typeof askReserveAlert>,
): Promise<{ accepted: true }> {
  await refuseWhileClosed(deps);
  const pair = await findPair(deps.db, { slug });
  if (pair === undefined || !pair.active) throw invalid({ pair: 'The selected pair is invalid.' });
  const { receive, receive_currency_id } = pair;
  const amount_minor = readAmount('amount', amount, receive.decimals);
  if (amount_minor <= (await available(deps.db, receive_currency_id)))
    throw invalid({ amount: `${withUnit(amount_minor, receive)} can be paid out now.` });
  const now = deps.clock();
  if (isSuspected(deps.keys, { website, stamp }, { now, shortestMs: SHORTEST_ADDRESS_MS }))
    return { accepted: true };
  const ends_at = new Date(now.getTime() + LINK_DAYS * DAY);
  const row = { id: newId(), email, locale, pair_id: pair.id, amount_minor, ends_at };
  await transaction(deps.db, async (tx) => {
    if ((await store.countOtherReserveAlerts(tx, row)) >= MOST) return;
    const before = new Date(now.getTime() - PAUSE_MS);
    const asked = await store.upsertReserveAlert(tx, { ...row, asked_at: now }, before);
    if (asked === undefined) return;
    await enqueueEmail(deps, tx, {
      ...emailTo({ email, locale }, CONFIRM),
      content: confirmEmail(wish({ amount_minor, receive }), LINK_DAYS),
      secret: signedId(deps.keys, PURPOSE, asked.id),
      expiresAt: ends_at,
    });
  });
  return { accepted: true };
}

/** @throws Refusal 404, also for an alert that was sent or has ended */
export async function read(
  { db, keys, clock }: LinkDeps,
  token: string,
): Promise<ReplyOf<typeof getReserveAlert>['data']> {
  const id = readSignedId(keys, PURPOSE, token);
  const alert = id === null ? undefined : await store.findReserveAlert(db, id, clock());
  if (alert === undefined) throw notFound();
  const { email, pair, receive, amount_minor, confirmed_at } = alert;
  return {
    email,
    pair,
    receive: publicCurrency(receive),
    amount: formatAmount(amount_minor, receive.decimals),
    state: confirmed_at === null ? 'pending' : 'confirmed',
  };
}

/** @throws Refusal 404 */
export async function confirm({ db, keys, clock }: LinkDeps, token: string): Promise<void> {
  const id = readSignedId(keys, PURPOSE, token);
  const now = clock();
  const ends_at = new Date(now.getTime() + ALERT_DAYS * DAY);
  if (id === null || !(await store.confirmReserveAlert(db, id, { now, ends_at }))) throw notFound();
}

/** Sends each alert that the reserve covers now, and deletes it with that. Returns their number. */
export async function checkReserveAlerts(deps: AlertDeps): Promise<number> {
  await store.deleteEnded(deps.db, deps.clock());
  return sendDue(deps, 'reserve_alerts', async (tx, now, limit) =>
    (await store.lockPayable(tx, now, limit)).map((alert) => {
      const { id, pair, receive, amount_minor } = alert;
      const amount = formatAmount(amount_minor, receive.decimals);
      const path = `/rates/${pair}?${new URLSearchParams({ side: 'receive', amount })}`;
      const email = { ...emailTo(alert, PAYABLE), content: payableEmail(wish(alert), path) };
      return { id, email, end: () => store.deleteReserveAlert(tx, id) };
    }),
  );
}

function emailTo(
  { email, locale }: Pick<store.ReserveAlert, 'email' | 'locale'>,
  kind: string,
): Omit<Email, 'content'> {
  return { kind, to: { email, userId: null, name: '', locale, proved: kind !== CONFIRM } };
}

function wish({ amount_minor, receive }: Pick<store.ReserveAlert, 'amount_minor' | 'receive'>) {
  const { name, channel } = receive;
  return { amount: withUnit(amount_minor, receive), currency: `${name}, ${channel}` };
}

/** For a deleted account, whose address was proved. */
export async function forgetReserveAlerts(tx: Tx, email: string): Promise<void> {
  await store.deleteAlertsTo(tx, email);
  await deleteEmailsTo(tx, email, [CONFIRM, PAYABLE]);
}
