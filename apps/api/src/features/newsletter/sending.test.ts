/** Campaigns on their way: every reader once, stopped at once, and what becomes of a mailbox that is not there. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { campaignsPath, campaignWords, openCampaigns } from '#test/campaigns.ts';
import { passWaits, refusal, until } from '#test/smtp.ts';
import { CAMPAIGN_PACE, writeLetters } from './pace.ts';

const { api, admin, server, draft, readers, get, rest, pumped, stateOf, send, act, ...post } =
  await openCampaigns({ after });
const { lettersTo, rowsOf } = post;

const leave = (email: string) =>
  api.db
    .updateTable('subscribers')
    .set({ state: 'left', left_at: new Date() })
    .where('email', '=', email)
    .execute();

describe('a campaign on its way', () => {
  it('reaches every reader once, with what mailboxes need to end it', async () => {
    const emails = await readers('ba', 7);
    const { id, version } = await draft({ locale: 'ba' });
    assert.equal((await send({ id, version }, 7)).body.data.state, 'sending');
    await Promise.all([writeLetters(api.deps), writeLetters(api.deps)]);
    const done = await pumped(id, ({ state }) => state === 'sent');
    assert.deepEqual([done.recipients, done.counts.sent, done.counts.queued], [7, 7, 0]);
    const letters = lettersTo(emails);
    assert.equal(letters.length, 7);
    const [row] = await rowsOf(id);
    const one = letters.find(({ messageId }) => messageId === `<${row?.id}@localhost>`);
    assert.equal(one?.envelopeSender, 'no-reply@localhost');
    const header = (name: string) => one?.headers.find(({ key }) => key === name)?.value;
    assert.match(
      header('list-unsubscribe') ?? '',
      /^<http:\/\/localhost:8000\/api\/public\/unsubscriptions\/[\w-]+\/end>$/,
    );
    assert.deepEqual(
      ['list-unsubscribe-post', 'list-id', 'precedence', 'auto-submitted'].map(header),
      ['List-Unsubscribe=One-Click', '<newsletter.localhost>', 'bulk', undefined],
    );
    assert.match(
      one?.text ?? '',
      /Get no more of these letters:\nhttp:\/\/localhost:4000\/unsubscribe\//,
    );
    const changed = await admin.put(`${campaignsPath}/${id}`, {
      version: done.version,
      ...campaignWords,
    });
    assert.equal(changed.body.code, 'campaign_not_draft');
  });

  it('is counted as left by the link of its own letter', async () => {
    const [email = ''] = await readers('bb', 1);
    const campaign = await draft({ locale: 'bb' });
    await send(campaign, 1);
    await pumped(campaign.id, ({ state }) => state === 'sent');
    const end = /unsubscriptions\/([\w-]+)\/end/.exec(lettersTo([email])[0]?.raw ?? '')?.[1];
    const visitor = api.client();
    const link = `/api/public/unsubscriptions/${end}`;
    assert.equal((await visitor.get(link)).body.data.email, email);
    assert.equal((await visitor.send('HEAD', `${link}/end`)).status, 302);
    assert.equal(await stateOf(email), 'confirmed');
    assert.equal((await visitor.post(`${link}/end`)).status, 204);
    assert.equal((await visitor.post(`${link}/end`)).status, 204);
    assert.equal(await stateOf(email), 'left');
    assert.equal((await get(campaign.id)).counts.ended, 1);
  });

  it('stops at once, goes on where it was, and asks again for each reader', async () => {
    const emails = await readers('bc', 6);
    const campaign = await draft({ locale: 'bc' });
    let held: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (held = resolve));
    server.taking = ({ recipients }) => (recipients[0]?.startsWith('bc-') ? hold : undefined);
    await send(campaign, 6);
    await pumped(campaign.id, ({ counts }) => counts.queued === 6);
    assert.equal((await act(campaign.id, 'pause')).body.data.state, 'paused');
    assert.equal((await act(campaign.id, 'pause')).status, 200);
    held();
    server.taking = null;
    // Those that were being sent are out; no other one is.
    await until(async () => (await get(campaign.id)).counts.sent > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { counts } = await get(campaign.id);
    assert.ok(counts.queued >= 3, JSON.stringify(counts));
    const [waiting] = await rowsOf(campaign.id, 'queued');
    await api.db
      .updateTable('subscribers')
      .set({ state: 'left', left_at: new Date() })
      .where('id', '=', waiting?.subscriber_id ?? '')
      .execute();
    assert.equal((await act(campaign.id, 'resume')).body.data.state, 'sending');
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.deepEqual([done.counts.sent, done.counts.skipped], [5, 1]);
    assert.equal(lettersTo(emails).length, 5);
  });

  it('keeps no other letter waiting, however long the server holds its own', async () => {
    await readers('bf', 8);
    const campaign = await draft({ locale: 'bf' });
    let held: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (held = resolve));
    server.taking = ({ recipients }) => (recipients[0]?.startsWith('bf-') ? hold : undefined);
    await send(campaign, 8);
    await pumped(campaign.id, ({ counts }) => counts.queued === 8);
    await api.client().post('/api/subscribers', { email: 'waits@example.com' });
    await until(() => lettersTo(['waits@example.com']).length === 1);
    assert.equal((await get(campaign.id)).counts.sent, 0);
    held();
    server.taking = null;
    await pumped(campaign.id, ({ state }) => state === 'sent');
  });

  it('goes to no more than were counted, though others are confirmed in the same moment', async () => {
    await readers('bg', 3);
    const campaign = await draft({ locale: 'bg' });
    await api.db.transaction().execute(async (tx) => {
      await readers('bg', 2, 'bg-late', tx);
      assert.equal((await send(campaign, 3)).status, 200);
    });
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.deepEqual([done.recipients, done.counts.sent], [3, 3]);
  });

  it('is over with its last letter, without waiting for the next batch', async () => {
    await readers('bh', 3);
    const campaign = await draft({ locale: 'bh' });
    let held: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (held = resolve));
    server.taking = ({ recipients }) => (recipients[0]?.startsWith('bh-') ? hold : undefined);
    await send(campaign, 3);
    await pumped(campaign.id, ({ counts }) => counts.queued === 3);
    await api.deps
      .sql`delete from jobs.job_common where name = ${CAMPAIGN_PACE} and state = 'created'`;
    held();
    server.taking = null;
    await until(async () => (await get(campaign.id)).state === 'sent', 15_000);
  });

  it('counts who left before their letter was written as not sent any more, while another is still busy', async () => {
    const [busy = '', gone = ''] = await readers('bi', 3);
    const campaign = await draft({ locale: 'bi' });
    let held: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (held = resolve));
    server.taking = ({ recipients }) => (recipients[0] === busy ? hold : undefined);
    await rest(-MINUTE);
    await send(campaign, 3);
    await leave(gone);
    const going = await pumped(campaign.id, ({ counts }) => counts.sent + counts.skipped === 2);
    assert.deepEqual([going.state, going.counts.queued], ['sending', 1]);
    held();
    server.taking = null;
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.deepEqual([done.counts.sent, done.counts.skipped], [2, 1]);
  });

  it('is over once the reader that a busy server keeps waiting has left', async () => {
    await readers('bj', 1);
    const campaign = await draft({ locale: 'bj' });
    let end = '';
    server.taking = ({ raw, recipients }) => {
      if (!recipients[0]?.startsWith('bj-')) return;
      end = /unsubscriptions\/([\w-]+)\/end/.exec(raw)?.[1] ?? '';
      throw refusal(451, '4.3.2 Later');
    };
    await send(campaign, 1);
    await pumped(campaign.id, () => end !== '');
    const left = await api.client().post(`/api/public/unsubscriptions/${end}/end`);
    assert.equal(left.status, 204);
    const { counts } = await get(campaign.id);
    assert.deepEqual([counts.queued, counts.skipped], [0, 1], 'before it is tried again');
    await writeLetters(api.deps);
    assert.equal((await get(campaign.id)).state, 'sent');
    server.taking = null;
  });

  it('is cancelled for good', async () => {
    const emails = await readers('bd', 4);
    const campaign = await draft({ locale: 'bd' });
    await rest(-MINUTE);
    await send(campaign, 4);
    assert.equal((await act(campaign.id, 'cancel')).body.data.state, 'cancelled');
    assert.equal((await act(campaign.id, 'resume')).body.code, 'campaign_elsewhere');
    await rest(MINUTE);
    await writeLetters(api.deps);
    assert.equal(lettersTo(emails).length, 0);
  });

  it('begins at its time, and may be taken off the schedule before', async () => {
    await readers('be', 2);
    const campaign = await draft({ locale: 'be' });
    const slip = await send(campaign, 2, '2098-01-01T10:00:00.000Z');
    assert.deepEqual([slip.status, Object.keys(slip.body.errors)], [422, ['send_at']]);
    const at = new Date(api.clock.now().getTime() + 30 * MINUTE).toISOString();
    const { body } = await send(campaign, 2, at);
    assert.deepEqual([body.data.state, body.data.scheduled_at], ['scheduled', at]);
    assert.equal((await act(campaign.id, 'unschedule')).body.data.state, 'draft');
    await send({ id: campaign.id, version: (await get(campaign.id)).version }, 2, at);
    await api.scheduler.tick(new Date(api.clock.now().getTime() + 29 * MINUTE));
    assert.equal((await get(campaign.id)).state, 'scheduled');
    await api.scheduler.tick(new Date(api.clock.now().getTime() + 31 * MINUTE));
    assert.equal((await get(campaign.id)).state, 'sending');
    await pumped(campaign.id, ({ state }) => state === 'sent');
  });
});

describe('a mailbox that is not there', () => {
  it('is written to no more, and a server that refuses the sender is another matter', async () => {
    const emails = await readers('ca', 2);
    await readers('ca', 1, 'relay');
    server.unknown = /^ca-0/;
    const campaign = await draft({ locale: 'ca' });
    await send(campaign, 3);
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.deepEqual([done.counts.sent, done.counts.bounced, done.counts.failed], [1, 1, 1]);
    const path = `${campaignsPath}/${campaign.id}/refused-letters`;
    const { body: refused } = await admin.get(path);
    const told = refused.data.map((each: Json) => [each.recipient, each.state, each.answer]);
    assert.deepEqual(told.map(([to, state]: string[]) => `${to} ${state}`).toSorted(), [
      'ca-0@example.com bounced',
      'relay-0@example.com failed',
    ]);
    assert.match(
      JSON.stringify(told),
      /No such user here.*Relay access|Relay access.*No such user/,
    );
    const first = (await admin.get(`${path}?per_page=1`)).body;
    const rest = (await admin.get(`${path}?per_page=1&cursor=${first.meta.next_cursor}`)).body;
    assert.deepEqual([...first.data, ...rest.data], refused.data);
    assert.equal((await admin.get(`${path}?cursor=x`)).status, 422);
    const { body: mail } = await admin.get('/api/admin/mail/status');
    assert.deepEqual([mail.data.dead, mail.data.dead_of_campaigns], [0, 2]);
    assert.equal(await stateOf('relay-0@example.com'), 'confirmed');
    const { body } = await admin.get('/api/admin/subscribers?state=bounced&q=ca-0');
    assert.match(body.data[0].bounce_words, /No such user/);
    server.unknown = null;
    const next = await draft({ locale: 'ca' });
    await send(next, 2);
    await pumped(next.id, ({ state }) => state === 'sent');
    assert.equal(lettersTo([emails[0] ?? '']).length, 0);
  });

  it('among very many stops the campaign, until somebody says that it goes on', async () => {
    await readers('cb', 25);
    server.unknown = /^cb-/;
    const campaign = await draft({ locale: 'cb' });
    await send(campaign, 25);
    const stopped = await pumped(campaign.id, ({ state }) => state === 'paused');
    assert.equal(stopped.paused_for, 'refusals');
    assert.equal((await act(campaign.id, 'resume')).status, 200);
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.equal(done.counts.bounced, 25);
    server.unknown = null;
  });

  it('among a few stops it too, once there are twenty letters to tell by', async () => {
    await readers('cd', 40);
    // The first that are written to: by the twentieth letter no other one is refused.
    let refusals = 7;
    server.taking = () => {
      if (refusals-- > 0) throw refusal(550, '5.1.1 No such user');
    };
    const campaign = await draft({ locale: 'cd' });
    await send(campaign, 40);
    const stopped = await pumped(
      campaign.id,
      ({ state }) => state === 'paused' || state === 'sent',
    );
    const { failed, sent } = stopped.counts;
    assert.equal(stopped.paused_for, 'refusals');
    assert.ok(failed === 7 && failed + sent >= 20, JSON.stringify(stopped.counts));
    await act(campaign.id, 'cancel');
    server.taking = null;
  });

  it('that is only busy is tried again (4xx)', async () => {
    const [email = ''] = await readers('cc', 1);
    let refusals = 1;
    server.taking = ({ recipients }) => {
      if (recipients[0] === email && refusals-- > 0) throw refusal(451, '4.3.2 Later');
    };
    const campaign = await draft({ locale: 'cc' });
    await send(campaign, 1);
    await pumped(campaign.id, () => refusals === 0);
    await until(async () => {
      await passWaits(api);
      await api.deps
        .sql`update jobs.job set start_after = now() where name = 'campaign-letters' and state in ('created', 'retry')`;
      await api.db
        .transaction()
        .execute((tx) => api.deps.notices.notify(tx, 'jobs', { queue: 'campaign-letters' }));
      return lettersTo([email]).length === 1;
    });
    server.taking = null;
    await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.equal(await stateOf(email), 'confirmed');
  });
});
