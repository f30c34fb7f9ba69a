/** Sending campaigns: each subscriber once, at a limited rate, stopped at once; and what a refusal does. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { campaignContent, campaignsPath, openCampaigns } from '#test/factories/campaigns.ts';
import { refusal, until } from '#test/fakes/smtp.ts';
import { CAMPAIGN_EMAILS, handOverBatch } from './sending.ts';

const { api, admin, server, draft, subscribers, get, pumped, stateOf, send, act, receivedBy } =
  await openCampaigns({ after });

const isSent = ({ state }: Json) => state === 'sent';

/** Holds back the server's answer to everyone whose address begins so; answers how to let go. */
function hold(beginning: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.taking = ({ recipients }) => (recipients[0]?.startsWith(beginning) ? promise : undefined);
  return () => {
    server.taking = null;
    resolve();
  };
}

describe('a campaign that is sent', () => {
  it('reaches each subscriber once, with what mailboxes need to unsubscribe', async () => {
    const emails = await subscribers('ba', 7);
    const { id, version } = await draft({ locale: 'ba' });
    assert.equal((await send({ id, version }, 7)).body.data.state, 'sending');
    await Promise.all([handOverBatch(api.deps), handOverBatch(api.deps)]);
    const done = await pumped(id, isSent);
    assert.deepEqual([done.recipients, done.counts.sent, done.counts.queued], [7, 7, 0]);
    const received = receivedBy(emails);
    assert.equal(received.length, 7);
    const [one] = received;
    const header = (name: string) => one?.headers.find(({ key }) => key === name)?.value;
    assert.match(
      header('list-unsubscribe') ?? '',
      /^<http:\/\/localhost:8000\/api\/public\/unsubscriptions\/[\w-]+\/end>$/,
    );
    assert.deepEqual(
      ['list-unsubscribe-post', 'list-id', 'precedence', 'auto-submitted'].map(header),
      ['List-Unsubscribe=One-Click', '<newsletter.localhost>', 'bulk', undefined],
    );
    assert.match(one?.text ?? '', /Unsubscribe:\nhttp:\/\/localhost:4000\/unsubscribe\//);
    const body = { version: done.version, ...campaignContent };
    const changed = await admin.put(`${campaignsPath}/${id}`, body);
    assert.equal(changed.body.code, 'campaign_not_draft');
  });

  it('counts who unsubscribed by the link of its own email', async () => {
    const [email = ''] = await subscribers('bb', 1);
    const campaign = await draft({ locale: 'bb' });
    await send(campaign, 1);
    await pumped(campaign.id, isSent);
    const token = /unsubscriptions\/([\w-]+)\/end/.exec(receivedBy([email])[0]?.raw ?? '')?.[1];
    const visitor = api.client();
    const link = `/api/public/unsubscriptions/${token}`;
    assert.equal((await visitor.get(link)).body.data.email, email);
    assert.equal((await visitor.send('HEAD', `${link}/end`)).status, 302);
    assert.equal(await stateOf(email), 'confirmed');
    for (let press = 0; press < 2; press += 1) {
      assert.equal((await visitor.post(`${link}/end`)).status, 204);
    }
    assert.equal(await stateOf(email), 'left');
    assert.equal((await get(campaign.id)).counts.unsubscribed, 1);
  });

  it('stops at once, resumes where it was, and skips who has left meanwhile', async () => {
    const emails = await subscribers('bc', 6);
    const campaign = await draft({ locale: 'bc' });
    const letGo = hold('bc-');
    await send(campaign, 6);
    await pumped(campaign.id, ({ counts }) => counts.queued === 6);
    assert.equal((await act(campaign.id, 'stop')).body.data.state, 'stopped');
    assert.equal((await act(campaign.id, 'stop')).status, 200);
    letGo();
    // Those that the server had already are sent; no other one is.
    await until(async () => (await get(campaign.id)).counts.sent > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { counts } = await get(campaign.id);
    assert.ok(counts.queued >= 3, JSON.stringify(counts));
    const waiting = emails.find((email) => receivedBy([email]).length === 0) ?? '';
    await api.db
      .updateTable('subscribers')
      .set({ state: 'left', left_at: new Date() })
      .where('email', '=', waiting)
      .execute();
    assert.equal((await act(campaign.id, 'unschedule')).body.code, 'campaign_state_changed');
    assert.equal((await act(campaign.id, 'resume')).body.data.state, 'sending');
    const done = await pumped(campaign.id, isSent);
    assert.deepEqual([done.counts.sent, done.counts.skipped], [5, 1]);
    assert.equal(receivedBy(emails).length, 5);
  });

  it('keeps no other email waiting, however long the server holds its own', async () => {
    await subscribers('bf', 8);
    const campaign = await draft({ locale: 'bf' });
    const letGo = hold('bf-');
    await send(campaign, 8);
    await pumped(campaign.id, ({ counts }) => counts.queued === 8);
    await api.client().post('/api/subscribers', { email: 'waits@example.com' });
    await until(() => receivedBy(['waits@example.com']).length === 1);
    assert.equal((await get(campaign.id)).counts.sent, 0);
    letGo();
    await pumped(campaign.id, isSent);
  });

  it('starts at its time, and may be taken off the schedule before', async () => {
    await subscribers('be', 2);
    const campaign = await draft({ locale: 'be' });
    const at = new Date(api.clock.now().getTime() + 30 * MINUTE).toISOString();
    const { body } = await send(campaign, 2, at);
    assert.deepEqual([body.data.state, body.data.scheduled_at], ['scheduled', at]);
    assert.equal((await act(campaign.id, 'unschedule')).body.data.state, 'draft');
    await send({ id: campaign.id, version: (await get(campaign.id)).version }, 2, at);
    await api.scheduler.tick(new Date(api.clock.now().getTime() + 29 * MINUTE));
    assert.equal((await get(campaign.id)).state, 'scheduled');
    await api.scheduler.tick(new Date(api.clock.now().getTime() + 31 * MINUTE));
    assert.equal((await get(campaign.id)).state, 'sending');
    await pumped(campaign.id, isSent);
  });

  it('keeps its counts when a subscriber is deleted, and sends the deleted one nothing', async () => {
    const emails = await subscribers('bk', 2);
    const campaign = await draft({ locale: 'bk' });
    const letGo = hold('bk-');
    await send(campaign, 2);
    for (const email of emails) {
      const { body } = await admin.get(`/api/admin/subscribers?q=${email}`);
      await admin.delete(`/api/admin/subscribers/${body.data[0].id}`);
    }
    letGo();
    const done = await pumped(campaign.id, isSent);
    assert.equal(done.counts.sent + done.counts.skipped, 2);
  });
});

describe('the rate of campaigns', () => {
  it('is what the settings say, however often batches are requested', async () => {
    const { client } = await api.asAdmin();
    const { value, version } = (await client.get('/api/admin/settings/mail')).body.data;
    const slow = { ...value, campaign_emails_per_minute: 12 };
    assert.equal(
      (await client.put('/api/admin/settings/mail', { version, value: slow })).status,
      200,
    );
    await subscribers('db', 9);
    const campaign = await draft({ locale: 'db' });
    await send(campaign, 9);
    const handed = async () => {
      for (let request = 0; request < 3; request += 1) await handOverBatch(api.deps);
      const rows = await api.db
        .selectFrom('campaign_emails')
        .select('id')
        .where('campaign_id', '=', campaign.id)
        .where('handed_at', 'is not', null)
        .execute();
      return rows.length;
    };
    api.clock.advance(MINUTE);
    const before = await handed();
    assert.ok(before <= 4, `${before}`);
    assert.equal(await handed(), before);
    api.clock.advance(10 * SECOND);
    assert.equal(await handed(), before + 2);
    await client.put('/api/admin/settings/mail', { version: version + 1, value });
    await pumped(campaign.id, isSent);
  });

  it('loses no email and repeats none when a job runs twice', async () => {
    const emails = await subscribers('da', 10);
    const campaign = await draft({ locale: 'da' });
    await send(campaign, 10);
    await pumped(campaign.id, isSent);
    const rows = await api.db
      .selectFrom('campaign_emails')
      .select('id')
      .where('campaign_id', '=', campaign.id)
      .execute();
    await api.db.transaction().execute((tx) =>
      api.deps.jobs.enqueueAll(
        tx,
        CAMPAIGN_EMAILS,
        rows.map(({ id }) => ({ key: id, data: { id } })),
      ),
    );
    await until(
      async () =>
        (
          await api.deps
            .sql`select from jobs.job where name = ${CAMPAIGN_EMAILS} and state < 'completed'`
        ).length === 0,
    );
    assert.equal(receivedBy(emails).length, 10);
  });
});

describe('a refusal of the mail server', () => {
  it('marks an address that does not exist as undeliverable, and sends it no further campaign', async () => {
    const emails = await subscribers('ca', 2);
    server.unknown = /^ca-0/;
    const campaign = await draft({ locale: 'ca' });
    await send(campaign, 2);
    const done = await pumped(campaign.id, isSent);
    assert.deepEqual([done.counts.sent, done.counts.failed], [1, 1]);
    assert.match(done.last_error, /No such user here/);
    const { body } = await admin.get('/api/admin/subscribers?state=bounced&q=ca-0');
    assert.match(body.data[0].bounce_answer, /No such user/);
    server.unknown = null;
    const next = await draft({ locale: 'ca' });
    await send(next, 1);
    await pumped(next.id, isSent);
    assert.equal(receivedBy([emails[0] ?? '']).length, 0);
  });

  it('of the sender, or for now, is tried again and leaves the address alone', async () => {
    const [email = ''] = await subscribers('cc', 1);
    let refusals = 1;
    server.taking = ({ recipients }) => {
      if (recipients[0] === email && refusals-- > 0) throw refusal(451, '4.3.2 Later');
    };
    const campaign = await draft({ locale: 'cc' });
    await send(campaign, 1);
    await pumped(campaign.id, () => refusals <= 0);
    await until(async () => {
      await api.db.transaction().execute((tx) => api.deps.jobs.retryNow(tx, CAMPAIGN_EMAILS));
      return receivedBy([email]).length === 1;
    });
    server.taking = null;
    await pumped(campaign.id, isSent);
    assert.equal(await stateOf(email), 'confirmed');
  });

  it('of very many stops the campaign once, until an admin resumes it', async () => {
    await subscribers('cb', 25);
    server.unknown = /^cb-/;
    const campaign = await draft({ locale: 'cb' });
    await send(campaign, 25);
    const stopped = await pumped(campaign.id, ({ state }) => state === 'stopped');
    assert.equal(stopped.stopped_by_refusals, true);
    assert.ok(stopped.counts.failed >= 20);
    assert.equal((await act(campaign.id, 'resume')).status, 200);
    const done = await pumped(campaign.id, isSent);
    assert.deepEqual([done.counts.failed, done.stopped_by_refusals], [25, false]);
    server.unknown = null;
  });

  it('of a few is made good when an admin resumes the campaign that has ended', async () => {
    const emails = await subscribers('ce', 3);
    const campaign = await draft({ locale: 'ce' });
    server.taking = ({ recipients }) => {
      if (recipients[0] !== emails[0]) throw refusal(552, '5.2.2 The mailbox is full');
    };
    await send(campaign, 3);
    const ended = await pumped(campaign.id, isSent);
    assert.deepEqual([ended.counts.sent, ended.counts.failed], [1, 2]);
    server.taking = null;
    assert.equal((await act(campaign.id, 'resume')).status, 200);
    const done = await pumped(campaign.id, isSent);
    assert.deepEqual([done.counts.sent, done.counts.failed], [3, 0]);
    assert.deepEqual(receivedBy(emails).length, 3, 'nobody twice');
  });
});
