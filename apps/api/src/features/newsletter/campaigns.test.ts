/** Writing campaigns: what a draft may hold, who it may be sent to, and who may send it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { campaignContent, campaignsPath, openCampaigns } from '#test/factories/campaigns.ts';

const { api, admin, user, smtp, draft, subscribers, get, send } = await openCampaigns({ after });

describe('a campaign that is written', () => {
  it('is cleaned, saved with its version, copied and deleted', async () => {
    const saved = await draft();
    assert.doesNotMatch(saved.body, /script/);
    assert.deepEqual(saved.removed, ['<script>']);
    const path = `${campaignsPath}/${saved.id}`;
    const stale = await admin.put(path, { version: 1, ...campaignContent });
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict']);
    const { body } = await admin.post(campaignsPath, { from: saved.id });
    assert.deepEqual([body.data.subject, body.data.state], [campaignContent.subject, 'draft']);
    assert.equal((await admin.delete(`${campaignsPath}/${body.data.id}`)).status, 204);
    assert.equal((await admin.get(`${campaignsPath}/${body.data.id}`)).status, 404);
  });

  it('is previewed as its email, and tested by its author alone', async () => {
    await subscribers('aa', 1);
    const { id } = await draft({ locale: 'aa' });
    const { body } = await admin.get(`${campaignsPath}/${id}/preview`);
    assert.match(body.data.html, /href="http:\/\/localhost:4000\/rates"/);
    assert.match(body.data.text, /See all \(http:\/\/localhost:4000\/rates\)/);
    const test = await admin.post(`${campaignsPath}/${id}/test`);
    assert.equal(test.body.data.recipient, user.email);
    const email = await smtp.next(({ subject }) => subject === 'Test: Rates in May');
    assert.deepEqual(email.recipients, [user.email]);
    assert.doesNotMatch(email.raw, /List-Unsubscribe/i);
    assert.equal((await get(id)).state, 'draft');
  });

  it('is not sent without a text, without subscribers, or to more than were agreed to', async () => {
    await subscribers('ab', 5);
    const empty = await draft({ body: '<p> </p>', locale: 'ab' });
    assert.equal((await send(empty, 5)).body.code, 'campaign_unready');
    assert.equal((await send(await draft({ locale: 'zz' }), 0)).body.code, 'campaign_unready');
    for (const agreed of [2, 4]) {
      const { body } = await send(await draft({ locale: 'ab' }), agreed);
      assert.equal(body.code, 'recipients_changed', String(agreed));
    }
    for (const wrong of ['2020-01-01T00:00:00Z', '2098-01-01T10:00:00.000Z']) {
      assert.equal((await send(await draft({ locale: 'ab' }), 5, wrong)).status, 422);
    }
  });

  it('needs a fresh confirmation for more than a hundred subscribers', async () => {
    const { client } = await api.asAdmin();
    await subscribers('ac', 101);
    const many = await draft({ locale: 'ac' }, client);
    await subscribers('ad', 3);
    const few = await draft({ locale: 'ad' }, client);
    api.clock.advance(11 * MINUTE);
    const sendTo = ({ id, version }: typeof many, recipients: number) =>
      client.post(`${campaignsPath}/${id}/send`, { version, send_at: null, recipients });
    const { status, body } = await sendTo(many, 101);
    assert.deepEqual([status, body.code], [403, 'confirmation_required']);
    assert.equal((await sendTo(few, 3)).status, 200);
  });
});
