/** Payout accounts that customers save under a name. Exchanges copy what is chosen, and check it again. */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  maxPayoutAccounts,
  type PayoutAccount,
  type savePayoutAccount,
} from '@cambist/contract/payout-accounts';
import type { MemberContext } from '#features/auth/sessions/request-context.ts';
import { emailSecurityChange } from '#features/auth/security-emails.ts';
import { lockSessionUser } from '#features/auth/sessions/sessions.ts';
import { recordUserEvent, requireVerified } from '#features/auth/users.ts';
import { findCurrency, publicCurrency } from '#features/currencies/currencies.ts';
import { readAnswers } from '#features/currencies/fields.ts';
import { refuseIfAny } from '#kernel/amount-field.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { transaction, type Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './store.ts';

export { deleteAccountsOf } from './store.ts';

export async function listOwn(db: Db, userId: Id): Promise<PayoutAccount[]> {
  return (await store.listAccounts(db, userId)).map(view);
}

/** @throws {Refusal} 404, also for another user's account */
export async function getOwn(db: Db, userId: Id, id: Id): Promise<PayoutAccount> {
  const found = (await listOwn(db, userId)).find((account) => account.id === id);
  if (!found) throw notFound();
  return found;
}

/**
 * The email is what makes an account noticed that a thief of the session adds, so the address must be verified.
 * @throws {Refusal} 422 on `currency`, `fields.<key>`, and on `label` at the limit; 401; 403 `email_unverified`
 */
export async function save(
  deps: Deps,
  context: MemberContext,
  { currency: slug, label, fields }: BodyOf<typeof savePayoutAccount>,
): Promise<Id> {
  const currency = await findCurrency(deps.db, slug);
  if (!currency) throw invalid({ currency: 'The selected currency is invalid.' });
  const { lines, errors } = readAnswers(currency.payout_fields, fields, 'fields');
  refuseIfAny(errors);
  return transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, context.session);
    await requireVerified(tx, user.id);
    if ((await store.listAccounts(tx, user.id)).length >= maxPayoutAccounts) {
      const message = `You have ${maxPayoutAccounts} saved accounts, which is the limit. Delete one first.`;
      throw invalid({ label: message });
    }
    const account = {
      id: newId(),
      user_id: user.id,
      currency_id: currency.id,
      label: label.trim(),
      fields: Object.fromEntries(lines.map(({ key, value }) => [key, value])),
      created_at: deps.clock(),
    };
    await store.insertAccount(tx, account);
    await recordUserEvent(tx, 'users.payout_account_saved', user, context, { currency: slug });
    await emailSecurityChange(deps, tx, user, {
      kind: 'payout-account-saved',
      name: account.label,
      facts: lines.map((line) => ({ label: line.label, value: line.value })),
    });
    return account.id;
  });
}

/** @throws {Refusal} 404, also for another user's account */
export async function rename(db: Db, userId: Id, id: Id, label: string): Promise<PayoutAccount> {
  await store.updateLabel(db, userId, id, label.trim());
  return getOwn(db, userId, id);
}

/** @throws {Refusal} 404, also for another user's account */
export async function remove(deps: Deps, context: MemberContext, id: Id): Promise<void> {
  const { actor } = context;
  await transaction(deps.db, async (tx) => {
    if (!(await store.deleteAccountsOf(tx, actor.id, id))) throw notFound();
    await recordUserEvent(tx, 'users.payout_account_deleted', actor, context);
  });
}

type Row = Awaited<ReturnType<typeof store.listAccounts>>[number];

/** Where the desk asks for other fields now, what still fits is offered. */
function view({ id, label, fields, payout_fields, ...currency }: Row): PayoutAccount {
  return {
    id,
    label,
    currency: publicCurrency(currency),
    fields: readAnswers(payout_fields, fields, 'fields').lines,
  };
}
