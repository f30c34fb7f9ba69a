/** Export and deletion of the user's own data, which the law requires. */
import { fillPath } from '@cambist/contract/endpoint';
import { getProofFile, type Exchange } from '@cambist/contract/exchanges';
import { Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { eventsOf } from '#features/audit/log.ts';
import { deletePersonalData, signInMethods } from '#features/auth/account/deletion.ts';
import type { MemberContext } from '#features/auth/sessions/request-context.ts';
import { listSessions } from '#features/auth/sessions/sessions.ts';
import { getUser, recordUserEvent } from '#features/auth/users.ts';
import { forgetSender } from '#features/contact/contact.ts';
import { exportExchanges, eraseUnpaid, lockAndCountOpen } from '#features/exchanges/exchanges.ts';
import {
  deleteEmailsOfUser,
  deleteEmailsWithoutUser,
  listEmailsTo,
} from '#features/email/email.ts';
import { forgetSubscriber } from '#features/newsletter/newsletter.ts';
import { deleteAccountsOf, listOwn } from '#features/payout-accounts/payout-accounts.ts';
import { discardFiles } from '#features/proofs/proofs.ts';
import { deleteAlertsOf, listAlertsForExport } from '#features/alerts/rate-alerts.ts';
import { forgetReserveAlerts } from '#features/alerts/reserve-alerts.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { forgetAnswersFor } from '#platform/http/idempotency.ts';

/** All stored data of the user, as JSON. */
export async function exportOwn(
  deps: Deps,
  { actor, session, origin }: MemberContext,
): Promise<string> {
  const exchanges = await exportExchanges(deps, actor);
  const own = {
    exported_at: deps.clock().toISOString(),
    profile: await getUser(deps, actor.id),
    sign_in_methods: await signInMethods(deps.db, actor.id),
    sessions: await listSessions(deps, actor.id, session),
    payout_accounts: await listOwn(deps.db, actor.id),
    exchanges,
    proof_files: exchanges.flatMap((exchange) => proofFiles(deps.config, exchange)),
    rate_alerts: await listAlertsForExport(deps.db, actor.id),
    emails: await listEmailsTo(deps.db, actor.id),
    log: await eventsOf(deps.db, actor.id),
  };
  await record(deps.db, { actor, origin, action: 'users.data_exported' });
  return `${JSON.stringify(own, null, 2)}\n`;
}

/** Proof files are not part of the JSON, but can be downloaded while signed in. */
function proofFiles({ appUrl }: Pick<Deps['config'], 'appUrl'>, { number, proofs }: Exchange) {
  return proofs.map(({ id, name, content_type, size_bytes, uploaded_at }) => ({
    exchange: number,
    name,
    content_type,
    size_bytes,
    uploaded_at,
    download: new URL(fillPath(getProofFile.path, { number, id }), appUrl).href,
  }));
}

/**
 * Deletes the user's own account. Records of money stay, without personal data. `typed` is the address
 * that the user entered to confirm it.
 * @throws {Refusal} 422 on `email`; 409 `exchanges_open`, `last_admin`; 401 when the session ended meanwhile
 */
export async function deleteOwn(deps: Deps, context: MemberContext, typed: string): Promise<void> {
  const { actor, session } = context;
  const files = await transaction(deps.db, async (tx) => {
    // Creating an exchange takes this lock too, and then sees that the account is deleted.
    if ((await lockAndCountOpen(tx, actor.id)) > 0) throw exchangesOpen();
    const unpaid = await eraseUnpaid(tx, actor.id);
    await forgetAnswersFor(tx, actor.id);
    await deleteEmailsOfUser(tx, actor.id);
    const own = { session, typed };
    const deleted = await deletePersonalData(deps, tx, actor.id, { own });
    if (deleted?.verifiedEmail) await forgetAddress(deps, tx, deleted.verifiedEmail);
    await deleteAlertsOf(tx, actor.id);
    await deleteAccountsOf(tx, actor.id);
    await recordUserEvent(tx, 'users.account_deleted', actor, context);
    return unpaid;
  });
  await discardFiles(deps, files);
}

/** Deletes what is stored about a verified address without the account. An unverified one may belong to someone else. */
async function forgetAddress(deps: Deps, tx: Tx, email: string): Promise<void> {
  await forgetSender(tx, email);
  await forgetSubscriber(deps, tx, email);
  await forgetReserveAlerts(tx, email);
  await deleteEmailsWithoutUser(tx, email);
}

function exchangesOpen(): Refusal {
  return new Refusal(
    409,
    'exchanges_open',
    'You have open exchanges, or a refund is not paid yet. They must end first.',
  );
}
