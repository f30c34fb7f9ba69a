/** Letters as they wait in the outbox, with what only their recipient would read. */
import assert from 'node:assert/strict';
import { SEAL } from '#features/mail/queue.ts';
import type { LetterRow } from '#features/mail/store.ts';
import type { TestApi } from './harness.ts';

/** The oldest first. */
export async function lettersTo({ db }: TestApi, email: string): Promise<LetterRow[]> {
  return db
    .selectFrom('letters')
    .selectAll()
    .where('recipient', '=', email)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The token of the newest letter of this kind. */
export async function secretOf(api: TestApi, email: string, kind: string): Promise<string> {
  const letter = (await lettersTo(api, email)).findLast((each) => each.kind === kind);
  assert.ok(letter?.secret, `There is no letter "${kind}" to ${email}.`);
  return api.deps.keys.open(SEAL, letter.secret, letter.id);
}
