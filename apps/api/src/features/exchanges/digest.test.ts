/** The digest of new work: to whom, when, once, and what it says. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { setDesk } from '#test/factories/acts.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { approve, claim, startTestDesk, submitted } from '#test/factories/exchange.ts';
import { openContext } from './context.ts';
import { lastMorning, sendDigests } from './digest.ts';

const { api, admin } = await startTestDesk({ after });
const { client: owner } = await api.asMember();
const context = await openContext(api.deps);

const choose = (client: Client, desk_digest: string) => client.patch('/api/user', { desk_digest });
const digestsTo = async (email: string) =>
  (await emailsTo(api, email)).filter(({ kind }) => kind === 'desk-digest');
/** As if the hour had passed since the last one. */
async function send(): Promise<number> {
  await api.deps.sql`update users set desk_digest_at = desk_digest_at - interval '1 day'`;
  await api.deps.sql`update exchanges set state_changed_at = state_changed_at - interval '1 hour'`;
  return sendDigests(context, new Date(Date.now()));
}

describe('a digest', () => {
  it('is sent where work waits that is new, once, also by processes at once', async () => {
    const { client, user } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await choose(client, 'hourly')).body.data.desk_digest, 'hourly');
    assert.equal(await send(), 0, 'nothing waits');
    await submitted(owner);
    await api.deps.sql`update users set desk_digest_at = now() - interval '2 hours'`;
    const now = new Date();
    const sent = await Promise.all([1, 2, 3].map(() => sendDigests(context, now)));
    assert.deepEqual(sent.toSorted(), [0, 0, 1]);
    const [email] = await digestsTo(user.email);
    assert.equal(email?.subject, 'Exchanges that wait: 1 to review');
    const { content } = (email?.data ?? {}) as Json;
    assert.deepEqual(content.facts, [{ label: 'To review', value: '1, the oldest for 0 minutes' }]);
    assert.equal(content.action.path, '/admin/exchanges?queue=to_review');
    // An hour later the same still waits.
    assert.equal(await sendDigests(context, new Date(now.getTime() + 2 * HOUR)), 0);
    assert.equal((await digestsTo(user.email)).length, 1);
    await choose(client, 'off');
  });

  it('has what waits again after a lapsed claim, and for the second approver', async () => {
    const { client } = await api.asAdmin({ permissions: ['desk'] });
    await choose(client, 'hourly');
    await setDesk(api, { second_approver_above: [{ currency: 'usd', amount: '50' }] });
    const claimed = await claim(admin, await submitted(owner));
    const sendLater = async () => {
      await api.deps.sql`update exchanges set state_changed_at = now() - interval '3 hours'`;
      await api.deps.sql`update users set desk_digest_at = now() - interval '2 hours'`;
      return sendDigests(await openContext(api.deps), new Date());
    };
    assert.equal(await sendLater(), 0);
    await api.deps.sql`update exchanges set claimed_until = now() - interval '1 minute'
      where number = ${claimed.number}`;
    assert.equal(await sendLater(), 1);
    const again = await claim(admin, claimed);
    assert.equal(await sendLater(), 0);
    assert.equal((await approve(admin, again)).approvals.length, 1);
    assert.equal(await sendLater(), 1);
    await setDesk(api, {});
    await choose(client, 'off');
  });

  it('is for operators alone, and for nobody who has lost the permission', async () => {
    const { client: member } = await api.asMember();
    assert.equal((await choose(member, 'daily')).status, 403);
    assert.equal((await member.patch('/api/user', { desk_notices: true })).status, 403);
    const { client, user } = await api.asAdmin({ permissions: ['desk'] });
    await choose(client, 'daily');
    await submitted(owner);
    const role = { role: 'admin', permissions: ['content'] };
    assert.equal((await admin.put(`/api/admin/users/${user.id}/role`, role)).status, 200);
    assert.equal(await send(), 0);
    assert.deepEqual(await digestsTo(user.email), []);
  });

  it('of the day comes after 08:00 in the desk’s time zone', () => {
    const morning = (now: string, zone: string) => lastMorning(new Date(now), zone).toISOString();
    assert.equal(morning('2026-07-01T05:59:59Z', 'Europe/Paris'), '2026-06-30T06:00:00.000Z');
    assert.equal(morning('2026-07-01T06:00:00Z', 'Europe/Paris'), '2026-07-01T06:00:00.000Z');
    assert.equal(morning('2026-03-29T07:00:00Z', 'Europe/Paris'), '2026-03-29T06:00:00.000Z');
    assert.equal(morning('2026-07-01T02:30:00Z', 'Asia/Kolkata'), '2026-07-01T02:30:00.000Z');
  });
});
