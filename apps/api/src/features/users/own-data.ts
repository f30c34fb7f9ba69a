/** What the law gives people over their own data: to take all of it along, and to be forgotten. */
import { fillPath } from '@cambist/contract/endpoint';
import { getProofFile, type Exchange } from '@cambist/contract/exchanges';
import type { Actor, Origin } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import { eventsOf, record } from '#features/audit/audit.ts';
import {
  anonymise,
  getUser,
  listSessions,
  signInMethods,
  type Owner,
} from '#features/auth/auth.ts';
import { forgetSender } from '#features/contact/contact.ts';
import { exportExchanges, eraseUnpaid, lockAndCountOpen } from '#features/exchanges/exchanges.ts';
import {
  deleteEmailsOfUser,
  deleteEmailsWithoutUser,
  listEmailsTo,
} from '#features/email/email.ts';
import { forgetSubscriber } from '#features/newsletter/newsletter.ts';
import { discardFiles } from '#features/proofs/proofs.ts';
import { deleteAlertsOf, listAlertsForExport } from '#features/rate-alerts/rate-alerts.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { forgetAnswersFor } from '#platform/http/idempotency.ts';
import type { Session } from '#platform/security/sessions.ts';

/** All that is kept of a person and may be shown to them, as a JSON text. */
export async function exportOwn(
  deps: Deps,
  actor: Actor,
  session: Session | null,
  origin: Origin,
): Promise<string> {
  const exchanges = await exportExchanges(deps, actor);
  const own = {
    exported_at: deps.clock().toISOString(),
    profile: await getUser(deps, actor.id),
    sign_in_methods: await signInMethods(deps.db, actor.id),
    sessions: await listSessions(deps, actor.id, session),
    exchanges,
    proof_files: exchanges.flatMap((exchange) => proofFiles(deps.config, exchange)),
    rate_alerts: await listAlertsForExport(deps.db, actor.id),
    emails: await listEmailsTo(deps.db, actor.id),
    log: await eventsOf(deps.db, actor.id),
  };
  await record(deps.db, { actor, origin, action: 'users.data_exported' });
  return `${JSON.stringify(own, null, 2)}\n`;
}

/** Files do not fit into a text: each with the address that gives it to whoever is signed in as its owner. */
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
 * Deletes the account: the person goes, the records of money stay. `typed` is its present address.
 * @throws {Refusal} 422 on `email`; 409 `exchanges_open`, `last_admin`; 401 when the session ended meanwhile
 */
export async function deleteOwn(
  deps: Deps,
  { actor, origin, session }: Owner,
  typed: string,
): Promise<void> {
  const files = await transaction(deps.db, async (tx) => {
    // The creation of an exchange takes this lock too, and then sees that the account is gone.
    if ((await lockAndCountOpen(tx, actor.id)) > 0) throw exchangesOpen();
    const unpaid = await eraseUnpaid(tx, actor.id);
    await forgetAnswersFor(tx, actor.id);
    await deleteEmailsOfUser(tx, actor.id);
    const gone = await anonymise(deps, tx, actor.id, { own: { session, typed } });
    if (gone?.provedEmail) await forgetAddress(deps, tx, gone.provedEmail);
    await deleteAlertsOf(tx, actor.id);
    await record(tx, {
      actor,
      origin,
      action: 'users.account_deleted',
      subject_kind: 'user',
      subject_id: actor.id,
    });
    return unpaid;
  });
  await discardFiles(deps, files);
}

/** What came from or went to the address without an account. An address that nobody proved may be another's. */
async function forgetAddress(deps: Deps, tx: Tx, email: string): Promise<void> {
  await forgetSender(tx, email);
  await forgetSubscriber(deps, tx, email);
  await deleteEmailsWithoutUser(tx, email);
}

function exchangesOpen(): Refusal {
  return new Refusal(
    409,
    'exchanges_open',
    'You have open exchanges. Complete or cancel them first.',
  );
}
