/** Emails as they wait in the outbox, with what only their recipient would read. */
import assert from 'node:assert/strict';
import { SEAL } from '#features/email/queue.ts';
import type { EmailRow } from '#features/email/store.ts';
import type { TestApi } from '#test/harness.ts';

/** The oldest first. */
export async function emailsTo({ db }: TestApi, email: string): Promise<EmailRow[]> {
  return db
    .selectFrom('emails')
    .selectAll()
    .where('recipient', '=', email)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The token of the newest email of this kind. */
export async function secretOf(api: TestApi, recipient: string, kind: string): Promise<string> {
  const email = (await emailsTo(api, recipient)).findLast((each) => each.kind === kind);
  assert.ok(email?.secret, `There is no email "${kind}" to ${recipient}.`);
  return api.deps.keys.open(SEAL, email.secret, email.id);
}
