/**
 * Reserve alerts: anyone can type any address, so the answer does not depend on it, and the address
 * confirms by the link of an email, as a subscriber does.
 */
import type { BodyOf, ReplyOf } from '@cambist/contract/endpoint';
import type { askReserveAlert, getReserveAlert } from '@cambist/contract/reserve-alerts';
import { formatAmount } from '@cambist/money/amount';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { deleteEmailsTo, enqueueEmail } from '#features/email/email.ts';
import { available } from '#features/ledger/ledger.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { findPair } from '#features/pairs/pairs.ts';
import { readAmount } from '#kernel/amount-field.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_ADDRESS_MS } from '#platform/security/form-stamp.ts';
import { readSignedId, signedId } from '#platform/security/signed-id.ts';
import { confirmEmail, payableEmail } from './emails.ts';
import * as store from './store.ts';

type AlertDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

const PURPOSE = 'reserve alert';
const CONFIRM = 'reserve-alert-confirm';
const LINK_DAYS = 7;
const ALERT_DAYS = 30;
/** Between two emails that ask to confirm the same. */
const PAUSE_MS = 10 * MINUTE;
/** Of one address; more are taken for somebody else's play. */
const MOST = 5;
const BATCH = 20;

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
  const key = { email, pair_id: pair.id, amount_minor };
  const times = { asked_at: now, ends_at: new Date(now.getTime() + LINK_DAYS * DAY) };
  await transaction(deps.db, async (tx) => {
    const asked =
      (await store.renewAlert(tx, key, {
        ...times,
        before: new Date(now.getTime() - PAUSE_MS),
      })) ??
      ((await store.countOf(tx, email)) < MOST
        ? await store.insertAlert(tx, { ...key, ...times, id: newId(), locale })
        : undefined);
    if (asked === undefined) return;
    await enqueueEmail(deps, tx, {
      kind: CONFIRM,
      to: { email, userId: null, name: '', locale, proved: false },
      content: confirmEmail(wish({ amount_minor, receive }), LINK_DAYS),
      secret: signedId(deps.keys, PURPOSE, asked.id),
      expiresAt: times.ends_at,
    });
  });
  return { accepted: true };
}

/** @throws Refusal 404, also for an alert that was sent or has ended */
export async function read(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<ReplyOf<typeof getReserveAlert>['data']> {
  const id = readSignedId(keys, PURPOSE, token);
  const alert = id === null ? undefined : await store.findAlert(db, id, clock());
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
export async function confirm(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<void> {
  const id = readSignedId(keys, PURPOSE, token);
  const now = clock();
  const ends_at = new Date(now.getTime() + ALERT_DAYS * DAY);
  if (id === null || !(await store.confirmAlert(db, id, { now, ends_at }))) throw notFound();
}

/** Sends each alert that the reserve covers now, and deletes it with that. Returns their number. */
export async function checkAlerts(deps: AlertDeps): Promise<number> {
  for (let sent = 0; ;) {
    const batch = await transaction(deps.db, async (tx) => {
      const payable = await store.lockPayable(tx, deps.clock(), BATCH);
      let count = 0;
      for (const alert of payable) if (await send(deps, tx, alert)) count += 1;
      return { found: payable.length, count };
    });
    sent += batch.count;
    if (batch.found < BATCH) return sent;
  }
}

async function send(deps: AlertDeps, tx: Tx, alert: store.Alert): Promise<boolean> {
  const { id, email, locale, pair, receive, amount_minor } = alert;
  const amount = formatAmount(amount_minor, receive.decimals);
  const path = `/rates/${pair}?${new URLSearchParams({ side: 'receive', amount })}`;
  const now = deps.clock().getTime();
  const sent = await enqueueEmail(deps, tx, {
    kind: 'reserve-alert',
    to: { email, userId: null, name: '', locale, proved: true },
    content: payableEmail(wish(alert), path),
    // Later the reserve may be another.
    expiresAt: new Date(now + DAY),
  });
  // The address has had too many emails in this hour.
  if (sent) await store.deleteAlert(tx, id);
  else await store.postpone(tx, id, new Date(now + HOUR));
  return sent;
}

function wish({ amount_minor, receive }: Pick<store.Alert, 'amount_minor' | 'receive'>) {
  const { name, channel } = receive;
  return { amount: withUnit(amount_minor, receive), currency: `${name}, ${channel}` };
}

/** For a deleted account, whose address was proved. */
export async function forgetReserveAlerts(tx: Tx, email: string): Promise<void> {
  await store.deleteAlertsTo(tx, email);
  await deleteEmailsTo(tx, email, [CONFIRM, 'reserve-alert']);
}
