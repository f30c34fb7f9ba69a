/**
 * Letters of campaigns that a server takes and sends back later, as the mail server of the tests
 * does: what becomes of the letter, of its reader and of the campaign.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { takeMessage } from '#app/bounces.ts';
import { answerForgotten } from '#features/auth/password-reset.ts';
import { campaignsPath, openCampaigns } from '#test/campaigns.ts';
import * as reports from '#test/reports.ts';
import { until } from '#test/smtp.ts';

const { api, admin, server, readers, draft, send, get, pumped, stateOf, lettersTo } =
  await openCampaigns({ after }, { MAIL_BOUNCES: 'bounces@desk.test' });

const take = (raw: Buffer) => takeMessage(api.deps.config, api.databaseUrl, raw);

/** A campaign to one reader, taken by the server. */
async function sent(locale: string, email?: string) {
  const [recipient = ''] = email === undefined ? await readers(locale, 1) : [email];
  const before = lettersTo([recipient]).length;
  const { id, version } = await draft({ locale });
  await send({ id, version }, 1);
  await pumped(id, ({ state }) => state === 'sent');
  // The server counts it a moment after it has said that it took it.
  await until(() => lettersTo([recipient]).length === before + 1);
  const letter = lettersTo([recipient]).at(-1);
  assert.ok(letter);
  return { id, recipient, letter, to: letter.envelopeSender };
}

async function wordsOf(email: string): Promise<string | null> {
  const { body } = await admin.get(`/api/admin/subscribers?q=${encodeURIComponent(email)}`);
  return body.data[0].bounce_words;
}

const full = { status: '5.2.2', said: 'smtp; 552 5.2.2 Mailbox full' };

async function cameBackFull(locale: string, recipient: string) {
  const { id, to } = await sent(locale, recipient);
  const taken = await take(reports.postfixReport({ to, recipient, ...full }));
  assert.equal(taken.done, 'letter');
  return id;
}

/** As by the link of a new letter that asks for it. */
const confirmAnew = (email: string) =>
  api.db
    .updateTable('subscribers')
    .set({ state: 'confirmed', confirmed_at: new Date(), bounced_at: null, bounce_words: null })
    .where('email', '=', email)
    .execute();

describe('a letter that comes back later', () => {
  it('marks its reader, and counts once, however often the report comes', async () => {
    const { id, recipient, letter, to } = await sent('ra');
    assert.match(to, /^bounces\+[0-9a-f]{32}\.[0-9a-f]{16}@desk\.test$/);
    const raw = reports.postfixReport({ to, recipient, letter: letter.raw });
    assert.equal((await take(raw)).done, 'mailbox');
    assert.deepEqual(await take(raw), { done: 'nothing', because: 'known' });
    const { counts } = await get(id);
    assert.deepEqual([counts.sent, counts.bounced, counts.failed], [0, 1, 0]);
    assert.equal(await stateOf(recipient), 'bounced');
    assert.match((await wordsOf(recipient)) ?? '', /^550 5\.1\.1 .* User unknown/);
    const { body } = await admin.get(`/api/admin/mail?recipient=${recipient}`);
    assert.equal(body.data[0].state, 'dead');
    assert.match(body.data[0].last_error, /User unknown/);
    const next = await draft({ locale: 'ra' });
    const refused = await send(next, 0);
    assert.equal(refused.body.code, 'campaign_unready');
  });

  it('is known in every usual form', async () => {
    const emails = await readers('rb', 4);
    const { id, version } = await draft({ locale: 'rb' });
    await send({ id, version }, 4);
    await pumped(id, ({ state }) => state === 'sent');
    const forms = [
      reports.eximReport,
      reports.oldEximReport,
      reports.gmailReport,
      reports.exchangeReport,
    ];
    for (const [at, form] of forms.entries()) {
      const recipient = emails[at] ?? '';
      const to = lettersTo([recipient])[0]?.envelopeSender ?? '';
      assert.equal((await take(form({ to, recipient }))).done, 'mailbox');
      assert.equal(await stateOf(recipient), 'bounced');
    }
    assert.equal((await get(id)).counts.bounced, 4);
  });

  it('is no fault of the reader where the server blames the sender', async () => {
    const { id, recipient, to } = await sent('rc');
    const said = 'smtp; 550 5.7.1 Blocked for spam';
    const raw = reports.postfixReport({ to, recipient, status: '5.7.1', said });
    assert.equal((await take(raw)).done, 'sender');
    const { counts } = await get(id);
    assert.deepEqual([counts.sent, counts.bounced, counts.failed], [0, 0, 1]);
    assert.equal(await stateOf(recipient), 'confirmed');
  });

  it('for a full mailbox ends it at the fifth in a row, and any that arrives begins anew', async () => {
    const [recipient = ''] = await readers('rd', 1);
    const expired = { status: '4.4.1', said: 'X-Postfix; connection timed out' };
    for (const [turn, about] of [full, null, full, expired, full, full].entries()) {
      const { to } = await sent('rd', recipient);
      if (about === null) continue;
      const taken = await take(reports.postfixReport({ to, recipient, ...about }));
      assert.equal(taken.done, 'letter');
      assert.equal(await stateOf(recipient), 'confirmed', `turn ${turn}`);
    }
    const { to } = await sent('rd', recipient);
    await take(reports.postfixReport({ to, recipient, ...full }));
    assert.equal(await stateOf(recipient), 'bounced');
    assert.match((await wordsOf(recipient)) ?? '', /Mailbox full/);
  });

  it('counts no more where it was sent again, and arrived', async () => {
    const [recipient = ''] = await readers('rk', 1);
    for (let turn = 0; turn < 4; turn += 1) {
      const id = await cameBackFull('rk', recipient);
      const { body } = await admin.get(`/api/admin/mail?recipient=${recipient}`);
      const again = await admin.post(`/api/admin/mail/${body.data[0].id}/replay`);
      assert.equal(again.status, 202, again.text);
      await until(async () => (await get(id)).counts.sent === 1);
    }
    await cameBackFull('rk', recipient);
    assert.equal(await stateOf(recipient), 'confirmed');
  });

  it('counts no more where its reader has confirmed since', async () => {
    const [recipient = ''] = await readers('rl', 1);
    const earlier = await sent('rl', recipient);
    for (let turn = 0; turn < 5; turn += 1) await cameBackFull('rl', recipient);
    assert.equal(await stateOf(recipient), 'bounced');
    await confirmAnew(recipient);
    await cameBackFull('rl', recipient);
    assert.equal(await stateOf(recipient), 'confirmed');
    const late = reports.postfixReport({ to: earlier.to, recipient });
    assert.equal((await take(late)).done, 'mailbox');
    assert.equal(await stateOf(recipient), 'confirmed');
    assert.equal((await get(earlier.id)).counts.bounced, 1);
  });

  it('is in a row with the next one though others between were never sent', async () => {
    const [recipient = ''] = await readers('rm', 1);
    for (let turn = 0; turn < 2; turn += 1) await cameBackFull('rm', recipient);
    for (const state of ['skipped', 'queued'] as const) {
      const { id } = await sent('rm', recipient);
      const letters = api.db.updateTable('campaign_letters').where('campaign_id', '=', id);
      await letters.set({ state }).execute();
    }
    for (let turn = 0; turn < 2; turn += 1) await cameBackFull('rm', recipient);
    assert.equal(await stateOf(recipient), 'confirmed');
    await cameBackFull('rm', recipient);
    assert.equal(await stateOf(recipient), 'bounced');
  });

  it('says nothing for good of a mailbox that was unknown for the time being', async () => {
    const { recipient, to } = await sent('rn');
    const unknown = { status: '4.1.1', said: 'smtp; 450 4.1.1 User unknown' };
    const raw = reports.postfixReport({ to, recipient, ...unknown });
    assert.equal((await take(raw)).done, 'letter');
    assert.equal(await stateOf(recipient), 'confirmed');
  });

  it('from an address that the reader’s own leads to says nothing of theirs', async () => {
    const { recipient, to } = await sent('re');
    const raw = reports.postfixReport({ to, recipient: 'elsewhere@example.net' });
    assert.equal((await take(raw)).done, 'letter');
    assert.equal(await stateOf(recipient), 'confirmed');
  });

  it('changes nothing while a server still tries it', async () => {
    const { id, recipient, to } = await sent('rf');
    const raw = reports.postfixReport({ to, recipient, action: 'delayed', status: '4.4.1' });
    assert.deepEqual(await take(raw), { done: 'nothing', because: 'delayed' });
    assert.equal((await get(id)).counts.sent, 1);
  });

  it('stops the campaign where very many do', async () => {
    const emails = await readers('rg', 25);
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    server.taking = ({ recipients }) => (recipients[0] === emails.at(-1) ? hold : undefined);
    const { id, version } = await draft({ locale: 'rg' });
    await send({ id, version }, 25);
    await pumped(id, ({ counts }) => counts.sent === 24);
    for (const recipient of emails.slice(0, 20)) {
      const to = lettersTo([recipient])[0]?.envelopeSender ?? '';
      await take(reports.postfixReport({ to, recipient }));
    }
    const stopped = await get(id);
    assert.deepEqual([stopped.state, stopped.paused_for], ['paused', 'refusals']);
    await admin.post(`${campaignsPath}/${id}/acts`, { act: 'cancel' });
    release();
    server.taking = null;
  });
});

describe('a report that nobody here can be held to', () => {
  it('is one with a forged address, of another letter, or of none', async () => {
    const { id, recipient, to } = await sent('rh');
    const at = to.indexOf('.') + 1;
    const forged = to.slice(0, at) + (to[at] === '0' ? '1' : '0') + to.slice(at + 1);
    for (const address of [forged, 'bounces@desk.test', recipient]) {
      const taken = await take(reports.postfixReport({ to: address, recipient }));
      assert.deepEqual(taken, { done: 'nothing', because: 'foreign' }, address);
    }
    assert.equal(await stateOf(recipient), 'confirmed');
    assert.equal((await get(id)).counts.sent, 1);
  });

  it('is a machine’s answer, or a person’s letter', async () => {
    const { recipient, to } = await sent('ri');
    const away = reports.message(to, ['Auto-Submitted: auto-replied', 'Subject: 550 5.1.1 away']);
    assert.deepEqual(await take(away), { done: 'nothing', because: 'machine' });
    const letter = reports.message(to, ['Subject: Hello']);
    assert.deepEqual(await take(letter), { done: 'nothing', because: 'person' });
    assert.equal(await stateOf(recipient), 'confirmed');
  });
});

describe('a complaint', () => {
  it('ends the newsletter once, and not that of whoever has asked again', async () => {
    const { id, recipient, to } = await sent('rj');
    const raw = reports.complaintReport({ to, recipient });
    assert.equal((await take(raw)).done, 'left');
    assert.equal(await stateOf(recipient), 'left');
    const { counts } = await get(id);
    assert.deepEqual([counts.sent, counts.ended], [1, 1]);
    await api.db
      .updateTable('subscribers')
      .set({ state: 'confirmed', asked_at: new Date(Date.now() + 1000) })
      .where('email', '=', recipient)
      .execute();
    await take(raw);
    assert.equal(await stateOf(recipient), 'confirmed');
  });
});

describe('another letter', () => {
  it('that comes back is marked as failed, and is not sent again with a link that is spent', async () => {
    const recipient = 'nobody@example.com';
    await api.client().post('/api/subscribers', { email: recipient });
    await until(() => lettersTo([recipient]).length === 1);
    const note = async () =>
      (await admin.get(`/api/admin/mail?recipient=${recipient}`)).body.data[0];
    await until(async () => (await note()).state === 'sent');
    const to = lettersTo([recipient])[0]?.envelopeSender ?? '';
    assert.equal((await take(reports.gmailReport({ to, recipient }))).done, 'mailbox');
    const { id, state, last_error } = await note();
    assert.equal(state, 'dead');
    assert.match(last_error, /does not exist/);
    const again = await admin.post(`/api/admin/mail/${id}/replay`);
    assert.deepEqual([again.status, again.body.code], [409, 'letter_outdated']);
    assert.equal(await stateOf(recipient), 'pending');
  });

  it('has its link made unreadable where the report repeats it', async () => {
    const { user } = await api.asMember();
    await answerForgotten(api.deps, { email: user.email, ip: '127.0.0.1', requestId: 'x' });
    const plain = (raw: string) => raw.replaceAll(/=\r?\n|(?<==)3D/g, '');
    const reset = () =>
      lettersTo([user.email]).find(({ raw }) => plain(raw).includes('/reset-password?token='));
    await until(() => reset() !== undefined);
    const { raw: sentWords = '', envelopeSender: to = '' } = reset() ?? {};
    const token = /token=([\w-]{20,})/.exec(plain(sentWords))?.[1] ?? '';
    assert.ok(token);
    const note = async () =>
      (await admin.get(`/api/admin/mail?recipient=${user.email}`)).body.data.find(
        ({ kind }: { kind: string }) => kind === 'reset-password',
      );
    await until(async () => (await note()).state === 'sent');
    const link = `https://desk.test/reset-password?token=${token}`;
    const said = `smtp; 550 5.7.1 Blocked: ${link} and token ${token.slice(0, 12)}=\n ${token.slice(12)}`;
    const raw = reports.postfixReport({ to, recipient: user.email, status: '5.7.1', said });
    assert.equal((await take(raw)).done, 'sender');
    assert.equal((await note()).last_error, '550 5.7.1 Blocked: [link] and token [secret]');
  });

  it('that is just being sent asks for its report again later', async () => {
    const recipient = 'soon@example.com';
    await api.client().post('/api/subscribers', { email: recipient });
    await until(() => lettersTo([recipient]).length === 1);
    const to = lettersTo([recipient])[0]?.envelopeSender ?? '';
    const letters = api.db.updateTable('letters').where('recipient', '=', recipient);
    const soon = {
      state: 'waiting',
      sent_at: null,
      next_attempt_at: new Date('2100-01-01'),
    } as const;
    // Only what is marked as sent is left alone by whoever sends.
    await until(async () => {
      const [one] = await letters.set(soon).where('state', '=', 'sent').execute();
      return one?.numUpdatedRows === 1n;
    });
    assert.equal((await take(reports.gmailReport({ to, recipient }))).done, 'later');
  });
});
