/** Operators are told once of a submission that nobody has claimed. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { claim, startTestDesk, submitted } from '#test/factories/exchange.ts';
import { openContext } from './context.ts';
import { reportUnseen } from './unseen.ts';

const { api, admin, operator } = await startTestDesk({ after });
const { user: accountant } = await api.asAdmin({ permissions: ['money'] });
const report = async () => reportUnseen(await openContext(api.deps));
const reportsTo = async ({ email }: Json) =>
  (await emailsTo(api, email)).filter(({ kind }) => kind === 'unseen-submissions');
const age = ({ number }: Json, minutes: number) =>
  api.db
    .updateTable('exchanges')
    .set({ submitted_at: new Date(Date.now() - minutes * MINUTE) })
    .where('number', '=', number)
    .execute();

it('reports each submission that was never claimed once, to operators', async () => {
  const { client } = await api.asMember();
  const [old, recent, seen] = [
    await submitted(client),
    await submitted(client),
    await submitted(client),
  ];
  const claimed = await claim(admin, seen);
  const path = `/api/admin/exchanges/${seen.number}/claim`;
  const released = await admin.delete(path, undefined, { query: { version: claimed.version } });
  assert.equal(released.body.data.state, 'payment_submitted');
  await age(old, 61);
  await age(recent, 59);
  await age(seen, 90);
  const told = await Promise.all([report(), report()]);
  assert.deepEqual(told.toSorted(), [0, 1]);
  await age(recent, 61);
  assert.equal(await report(), 1);
  assert.equal(await report(), 0);
  assert.deepEqual(
    (await reportsTo(operator)).map(({ subject }) => subject).toSorted(),
    [old, recent].map(({ number }) => `Nobody has opened the payment of ${number}`).toSorted(),
  );
  assert.deepEqual(await reportsTo(accountant), []);
});
