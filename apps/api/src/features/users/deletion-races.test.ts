/** Deletions that come together, and the last admin who could still sign in. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';

describe('DELETE /api/user', () => {
  it('204 once: of two at once the other finds nobody, and one trace stays', async () => {
    const api = await startTestApi({ after });
    const { client, user } = await api.asMember();
    const other = api.client();
    for (const [name, value] of client.jar) other.jar.set(name, value);
    const answers = await Promise.all([client.leave(user.email), other.leave(user.email)]);
    const [done, late = 0] = answers.map(({ status }) => status).toSorted();
    assert.equal(done, 204);
    // 419 where the session had gone before the other was asked for its token.
    assert.ok([401, 419].includes(late), `${late}`);
    const traces = await api.db
      .selectFrom('audit_events')
      .select('id')
      .where('subject_id', '=', user.id)
      .where('action', '=', 'users.account_deleted')
      .execute();
    assert.equal(traces.length, 1);
    const emails = await emailsTo(api, user.email);
    assert.deepEqual(
      emails.map(({ kind }) => kind),
      ['account-deleted'],
    );
  });

  it('409: not the last admin who can sign in; a provider that is not set up is no way', async () => {
    for (const [env, status] of [
      [{}, 409],
      [{ GOOGLE_CLIENT_ID: 'desk', GOOGLE_CLIENT_SECRET: 'secret' }, 204],
    ] as const) {
      const api = await startTestApi({ after }, { env });
      const { client } = await api.asAdmin();
      const { user: other } = await api.asAdmin();
      await api.db
        .updateTable('users')
        .set({ password_hash: null })
        .where('id', '=', other.id)
        .execute();
      await api.db
        .insertInto('identities')
        .values({
          provider: 'google',
          subject: randomUUID(),
          user_id: other.id,
          email: null,
          last_used_at: null,
        })
        .execute();
      const answer = await client.leave();
      assert.equal(answer.status, status, answer.text);
      if (status === 409) assert.equal(answer.body.code, 'last_admin');
    }
  });
});
