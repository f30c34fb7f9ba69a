/** Accounts that nobody proved, after a month. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import { create, startTestDesk } from '#test/factories/exchange.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { unverifiedTask } from './unverified.ts';

const { api } = await startTestDesk({ after });

const run = (days: number) =>
  unverifiedTask(api.deps).run(new Date(Date.now() + days * DAY), AbortSignal.any([]));
const find = (id: string) =>
  api.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('an unproved account goes after thirty days without an exchange, and what it did stays', async () => {
  const { user: proved } = await api.asMember();
  const { user, client } = await api.asMember({ verified: false, name: 'Philippa Unproved' });
  const { user: trader, client: trading } = await api.asMember();
  await create(trading);
  await api.db
    .updateTable('users')
    .set({ email_verified_at: null })
    .where('id', '=', trader.id)
    .execute();

  assert.equal(await run(29), '0 deleted');
  assert.equal(await run(31), '1 deleted');
  assert.equal(await run(31), '0 deleted');

  const gone = await find(user.id);
  assert.notEqual(gone.deleted_at, null);
  assert.doesNotMatch(JSON.stringify(gone), new RegExp(`Philippa|${user.email}`));
  for (const { id } of [proved, trader]) assert.equal((await find(id)).deleted_at, null);
  assert.equal((await client.get('/api/user')).status, 401);
  // Nothing at all is written to whoever has the address.
  assert.deepEqual(await emailsTo(api, user.email), []);
  const log = await api.db
    .selectFrom('audit_events')
    .select(['action', 'actor_kind'])
    .where('subject_id', '=', user.id)
    .orderBy('id')
    .execute();
  assert.deepEqual(log, [
    { action: 'auth.signup', actor_kind: 'user' },
    { action: 'users.unproved_deleted', actor_kind: 'system' },
  ]);
  // The address is free again.
  await api.asMember({ email: user.email });
});

it('an account that is proved at that moment stays', async () => {
  const { user } = await api.asMember({ verified: false });
  let done: Promise<string | void> | null = null;
  await api.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('users')
      .set({ email_verified_at: new Date() })
      .where('id', '=', user.id)
      .execute();
    done = run(31);
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  assert.equal(await done, '0 deleted');
  assert.equal((await find(user.id)).deleted_at, null);
  assert.equal((await emailsTo(api, user.email)).length, 1);
});
