import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { signedId } from '#platform/security/signed-id.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { CONFIRM } from './links.ts';
import { forgetUnconfirmed } from './newsletter.ts';

const api = await startTestApi({ after });
const visitor = api.client();
const admin = async () => (await api.asAdmin()).client;

const ask = (email: string, change: Json = {}) =>
  visitor.post('/api/subscribers', { email, ...change });
const rowOf = (email: string) =>
  api.db.selectFrom('subscribers').selectAll().where('email', '=', email).executeTakeFirst();
const emailsTo = (email: string) =>
  api.db.selectFrom('emails').select(['kind']).where('recipient', '=', email).execute();
const idOf = async (email: string) => (await rowOf(email))?.id ?? '';
const confirmPath = async (email: string) =>
  `/api/public/subscriptions/${signedId(api.deps.keys, CONFIRM, await idOf(email))}`;
const endPath = async (email: string) =>
  `/api/public/unsubscriptions/${signedId(api.deps.keys, 'newsletter end', await idOf(email))}`;
const join = async (email: string) => {
  await ask(email);
  assert.equal((await visitor.post(await confirmPath(email))).status, 204);
};

describe('POST /api/subscribers', () => {
  it('answers the same, whoever asks, and subscribes nobody before the address has confirmed', async () => {
    await join('known@example.com');
    const answers = [
      await ask('new@example.com'),
      await ask('new@example.com'),
      await ask('known@example.com'),
      await ask('bot@example.com', { website: 'x' }),
    ];
    for (const { status, text } of answers) {
      assert.deepEqual([status, text], [202, '{"data":{"accepted":true}}']);
    }
    assert.equal((await rowOf('new@example.com'))?.state, 'pending');
    assert.equal((await emailsTo('new@example.com')).length, 1);
    assert.equal(
      (await emailsTo('known@example.com')).filter(({ kind }) => kind === 'subscribe-confirm')
        .length,
      1,
    );
    assert.equal((await rowOf('bot@example.com'))?.suspected, true);
    assert.deepEqual(await emailsTo('bot@example.com'), []);
  });

  it('is one subscriber, however the address is written and however many ask at once', async () => {
    await Promise.all(
      ['Twin@example.com', 'twin@example.com', 'TWIN@example.com'].map((email) => ask(email)),
    );
    const rows = await api.deps
      .sql`select from subscribers where lower(email) = 'twin@example.com'`;
    assert.equal(rows.length, 1);
  });

  it('keeps and flags what no person can have typed, until a person asks', async () => {
    const email = 'quick@example.com';
    const stamp = async () => (await visitor.get('/api/public/form-stamps')).body.data.stamp;
    await ask(email, { stamp: await stamp() });
    assert.equal((await rowOf(email))?.suspected, true);
    await ask(email, { stamp: 'mhzf1a2b.forged' });
    assert.deepEqual(await emailsTo(email), []);
    const given = await stamp();
    api.clock.advance(2100);
    await ask(email, { stamp: given });
    assert.deepEqual([(await rowOf(email))?.suspected, (await emailsTo(email)).length], [false, 1]);
  });

  it('refuses what is no address (422)', async () => {
    assert.equal((await ask('nobody')).status, 422);
    assert.equal((await ask('a@b.example', { locale: '<b>' })).status, 422);
  });
});

describe('the links', () => {
  it('change nothing by being opened, and do it once by being pressed', async () => {
    await ask('reader@example.com');
    const path = await confirmPath('reader@example.com');
    for (let count = 0; count < 3; count += 1) {
      const { body } = await visitor.get(path);
      assert.deepEqual(body.data, { email: 'reader@example.com', state: 'pending' });
    }
    for (let count = 0; count < 2; count += 1) assert.equal((await visitor.post(path)).status, 204);
    assert.equal((await emailsTo('reader@example.com')).length, 2);
    const end = await endPath('reader@example.com');
    assert.equal((await visitor.get(end)).body.data.state, 'confirmed');
    assert.equal((await visitor.get(`${end}/end`)).status, 302);
    assert.equal((await rowOf('reader@example.com'))?.state, 'confirmed');
    for (let count = 0; count < 2; count += 1) {
      const answer = await api.app.inject({
        method: 'POST',
        url: `${end}/end`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      });
      assert.equal(answer.statusCode, 204);
    }
    assert.equal((await rowOf('reader@example.com'))?.state, 'left');
    assert.equal((await visitor.post(path)).status, 409, 'an old email resubscribes no address');
  });

  it('open nothing else (404)', async () => {
    await ask('other@example.com');
    const token = signedId(api.deps.keys, CONFIRM, await idOf('other@example.com'));
    for (const wrong of [
      `/api/public/unsubscriptions/${token}`,
      `/api/public/subscriptions/${token}x`,
      '/api/public/subscriptions/x',
    ]) {
      assert.equal((await visitor.get(wrong)).status, 404, wrong);
    }
  });

  it('are over after seven days, and asking again makes a new one', async () => {
    await ask('late@example.com');
    const path = await confirmPath('late@example.com');
    api.clock.advance(7 * DAY + MINUTE);
    assert.equal((await visitor.post(path)).body.code, 'link_expired');
    await ask('late@example.com');
    assert.equal((await visitor.post(path)).status, 204);
  });
});

describe('an address that never confirms', () => {
  it('is forgotten after thirty days, and stays left where it had left before', async () => {
    await ask('never@example.com');
    await join('again@example.com');
    assert.equal((await visitor.post(`${await endPath('again@example.com')}/end`)).status, 204);
    api.clock.advance(20 * MINUTE);
    await ask('again@example.com');
    assert.equal((await rowOf('again@example.com'))?.state, 'pending');
    const now = api.clock.now().getTime();
    await forgetUnconfirmed(api.db, new Date(now + 29 * DAY));
    assert.equal((await rowOf('never@example.com'))?.state, 'pending');
    await forgetUnconfirmed(api.db, new Date(now + 31 * DAY));
    assert.equal(await rowOf('never@example.com'), undefined);
    assert.equal((await rowOf('again@example.com'))?.state, 'left');
  });
});

describe('asking for an address that was here before', () => {
  const at = new Date();
  const times = { asked_at: at, confirmed_at: at, left_at: null };
  const before = (email: string, change: Json) =>
    api.db
      .insertInto('subscribers')
      .values({ id: crypto.randomUUID(), email, locale: 'en', state: 'left', ...times, ...change })
      .execute();
  const lapse = () => forgetUnconfirmed(api.db, new Date(api.clock.now().getTime() + 31 * DAY));

  it('waits for no email where none was sent', async () => {
    const email = 'imported@example.com';
    await before(email, { source: 'import', left_at: at, asked_at: api.clock.now() });
    await ask(email);
    await ask(email);
    assert.equal((await emailsTo(email)).length, 1);
  });

  it('takes nothing away of the consent of its list, until the address confirms', async () => {
    const import_id = crypto.randomUUID();
    const email = 'listed@example.com';
    const known = async () => {
      const row = await rowOf(email);
      return [row?.state, row?.source, row?.import_id];
    };
    await before(email, { source: 'import', import_id, left_at: at });
    await ask(email);
    assert.deepEqual(await known(), ['pending', 'import', import_id]);
    await lapse();
    assert.deepEqual(await known(), ['left', 'import', import_id]);
    api.clock.advance(20 * MINUTE);
    await ask(email);
    assert.equal((await visitor.post(await confirmPath(email))).status, 204);
    assert.deepEqual(await known(), ['confirmed', 'form', null]);
  });

  it('leaves it as it was where nobody confirms: left, also after a bounce, or bounced', async () => {
    await before('unknown@example.com', { state: 'bounced', bounced_at: at });
    await before('over@example.com', { state: 'bounced', bounced_at: at });
    assert.equal((await visitor.post(`${await endPath('over@example.com')}/end`)).status, 204);
    for (const email of ['unknown@example.com', 'over@example.com']) {
      await ask(email);
      assert.equal((await rowOf(email))?.state, 'pending');
    }
    await lapse();
    assert.equal((await rowOf('unknown@example.com'))?.state, 'bounced');
    assert.equal((await rowOf('over@example.com'))?.state, 'left');
  });
});

describe('the list of subscribers', () => {
  it('is counted, found by the beginning of an address, exported and forgotten', async () => {
    const client = await admin();
    await join('=cmd@example.com');
    const { body } = await client.get('/api/admin/subscribers?q=%3DCMD');
    assert.deepEqual(
      body.data.map(({ email }: Json) => email),
      ['=cmd@example.com'],
    );
    const counted = await api.db
      .selectFrom('subscribers')
      .select((each) => ['state', each.fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
    for (const { state, count } of counted) assert.equal(body.counts[state], Number(count), state);
    const file = await client.get('/api/admin/subscribers/export');
    assert.match(file.text, /^email,locale,state,/);
    assert.match(file.text, /\r\n'=cmd@example\.com,en,confirmed,/);
    assert.equal((await client.delete(`/api/admin/subscribers/${body.data[0].id}`)).status, 204);
    assert.equal(await rowOf('=cmd@example.com'), undefined);
    assert.deepEqual((await client.get('/api/admin/subscribers?q=%25')).body.data, []);
  });

  it('takes along the emails to it when it is deleted, however the address was written', async () => {
    await join('reader@example.com');
    await api.deps.sql`update emails set recipient = 'reader@EXAMPLE.com'
      where recipient = 'reader@example.com' and kind = 'subscribe-confirm'`;
    const left = () =>
      api.deps.sql`select kind from emails where lower(recipient) = 'reader@example.com'`;
    assert.ok((await left()).length > 0);
    const path = `/api/admin/subscribers/${await idOf('reader@example.com')}`;
    assert.equal((await (await admin()).delete(path)).status, 204);
    assert.deepEqual([...(await left())], []);
  });
});
