import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { campaignsPath, campaignWords, openCampaigns } from '#test/campaigns.ts';
import { until } from '#test/smtp.ts';
import { sendCampaignLetter } from './campaign-letters.ts';
import { allowed, writeLetters } from './pace.ts';

const { api, admin, user, smtp, draft, readers, get, rest, pumped, send, lettersTo, rowsOf } =
  await openCampaigns({ after });

describe('a campaign that is written', () => {
  it('is cleaned, saved under its version, copied and deleted', async () => {
    const saved = await draft();
    assert.doesNotMatch(saved.body, /script/);
    assert.deepEqual(saved.removed, ['<script>']);
    const stale = await admin.put(`${campaignsPath}/${saved.id}`, { version: 1, ...campaignWords });
    assert.equal(stale.body.code, 'version_conflict');
    assert.deepEqual([saved.saved_by, saved.saved_by_id], ['Ines', user.id]);
    const { body } = await admin.post(campaignsPath, { from: saved.id });
    assert.equal(body.data.saved_by_id, null);
    assert.deepEqual([body.data.subject, body.data.state], [campaignWords.subject, 'draft']);
    assert.equal((await admin.delete(`${campaignsPath}/${body.data.id}`)).status, 204);
    assert.equal((await admin.get(`${campaignsPath}/${body.data.id}`)).status, 404);
    const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await desk.get(campaignsPath)).status, 403);
  });

  it('begins once for one key, and is tested once', async () => {
    const begin = () => admin.post(campaignsPath, {}, { key: 'lost' });
    const [first, again] = [await begin(), await begin()];
    assert.deepEqual([again.status, again.body], [201, first.body]);
    const { id } = await draft();
    const test = () => admin.post(`${campaignsPath}/${id}/test`, undefined, { key: 'lost' });
    const [sent, repeated] = [await test(), await test()];
    assert.deepEqual([sent.status, repeated.status, repeated.body], [200, 200, sent.body]);
    const letters = api.db.selectFrom('letters').select('id');
    const tests = letters.where('kind', '=', 'campaign-test').where('recipient', '=', user.email);
    assert.equal((await tests.execute()).length, 1);
  });

  it('is shown as its letter, and sent to its writer alone', async () => {
    await readers('aa', 1);
    const { id } = await draft({ locale: 'aa' });
    const { body } = await admin.get(`${campaignsPath}/${id}/letter`);
    assert.match(body.data.html, /href="http:\/\/localhost:4000\/rates"/);
    assert.match(body.data.text, /See all \(http:\/\/localhost:4000\/rates\)/);
    const test = await admin.post(`${campaignsPath}/${id}/test`);
    assert.equal(test.body.data.recipient, user.email);
    const letter = await smtp.next(({ subject }) => subject === 'Test: Rates in May');
    assert.deepEqual(letter.recipients, [user.email]);
    assert.doesNotMatch(letter.raw, /List-Unsubscribe/i);
    assert.equal((await get(id)).state, 'draft');
  });

  it('goes to nobody without words, without readers, or to more than was agreed', async () => {
    await readers('ab', 5);
    const empty = await draft({ body: '<p> </p>', locale: 'ab' });
    assert.equal((await send(empty, 5)).body.code, 'campaign_unready');
    assert.equal((await send(await draft({ locale: 'zz' }), 0)).body.code, 'campaign_unready');
    for (const agreed of [2, 4]) {
      const { body } = await send(await draft({ locale: 'ab' }), agreed);
      assert.equal(body.code, 'recipients_changed', String(agreed));
    }
    assert.equal(
      (await send(await draft({ locale: 'ab' }), 5, '2020-01-01T00:00:00Z')).status,
      422,
    );
  });

  it('needs a fresh confirmation for more than a hundred people', async () => {
    const { client } = await api.asAdmin();
    await readers('ac', 101);
    const many = await draft({ locale: 'ac' }, client);
    api.clock.advance(11 * MINUTE);
    const body = { version: many.version, send_at: null, recipients: 101 };
    const { status, body: refused } = await client.post(`${campaignsPath}/${many.id}/send`, body);
    assert.deepEqual([status, refused.code], [403, 'confirmation_required']);
    await readers('ad', 3);
    const few = await draft({ locale: 'ad' }, client);
    const sent = await client.post(`${campaignsPath}/${few.id}/send`, {
      version: few.version,
      send_at: null,
      recipients: 3,
    });
    assert.equal(sent.status, 200);
    // Or the pace of the next test would be spent on it.
    await pumped(few.id, ({ state }) => state === 'sent');
  });
});

describe('the pace', () => {
  it('is what the settings say, whenever it is asked', () => {
    const now = new Date('2026-05-05T12:00:00Z');
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    assert.equal(allowed(120, ago(10), now).most, 20);
    assert.equal(allowed(120, ago(3600), now).most, 20, 'a long rest is not made up for at once');
    assert.deepEqual(allowed(7, ago(10), now), {
      most: 1,
      until: new Date(ago(10).getTime() + 60_000 / 7),
    });
    assert.equal(allowed(1, ago(59), now).most, 0);
    assert.equal(allowed(1, ago(60), now).most, 1);
    assert.equal(allowed(1, ago(-60), now).most, 0);
  });

  it('is kept, a crash between two batches loses and repeats nobody', async () => {
    await readers('da', 50);
    const campaign = await draft({ locale: 'da' });
    await rest(10_000);
    await send(campaign, 50);
    await writeLetters(api.deps);
    const count = async () => (await rowsOf(campaign.id)).length;
    await until(async () => (await count()) > 0);
    assert.ok((await count()) <= 22, `${await count()} at once`);
    // As if the batch's note had been lost, but not its letters.
    await api.db
      .updateTable('campaigns')
      .set({ cursor: null })
      .where('id', '=', campaign.id)
      .execute();
    const done = await pumped(campaign.id, ({ state }) => state === 'sent');
    assert.equal(done.counts.sent, 50);
    const emails = Array.from({ length: 50 }, (_, at) => `da-${at}@example.com`);
    assert.equal(lettersTo(emails).length, 50);
    const [letter] = await rowsOf(campaign.id);
    await sendCampaignLetter(api.deps, letter?.id ?? '');
    assert.equal(lettersTo(emails).length, 50);
  });

  it('is in no minute more than the settings say, however the batches fall', async () => {
    const { client } = await api.asAdmin();
    const { value, version } = (await client.get('/api/admin/settings/mail')).body.data;
    const slow = { ...value, campaign_letters_per_minute: 12 };
    const kept = await client.put('/api/admin/settings/mail', { version, value: slow });
    assert.equal(kept.status, 200, kept.text);
    // What the tests before have sent is a minute old.
    api.clock.advance(MINUTE);
    await readers('db', 30);
    const campaign = await draft({ locale: 'db' });
    await send(campaign, 30);
    const sentBy = async (batches: number) => {
      for (let batch = 0; batch < batches; batch += 1) {
        await rest(30_000);
        await writeLetters(api.deps);
      }
      await until(async () => (await get(campaign.id)).counts.queued === 0);
      return (await get(campaign.id)).counts.sent;
    };
    assert.ok((await sentBy(1)) <= 4, 'the first two batches at most');
    assert.equal(await sentBy(7), 12);
    api.clock.advance(MINUTE - 20_000);
    assert.equal(await sentBy(3), 12);
    api.clock.advance(20_000);
    assert.equal(await sentBy(7), 24);
    api.clock.advance(MINUTE);
    await pumped(campaign.id, ({ state }) => state === 'sent');
  });
});
