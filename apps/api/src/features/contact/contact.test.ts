import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin({ name: 'Ines' });
const visitor = api.client();

const typed = { name: 'Ada', email: 'ada@example.com', message: 'Where is my payout?' };
const write = (change: Json = {}) =>
  visitor.post('/api/contact-submissions', { ...typed, ...change });
const path = '/api/admin/contact-submissions';
const emailsTo = (email: string) =>
  api.db
    .selectFrom('emails')
    .selectAll()
    .where('recipient', '=', email)
    .orderBy('created_at')
    .execute();
const inbox = async (query = '') => (await admin.get(`${path}${query}`)).body;

describe('POST /api/contact-submissions', () => {
  it('keeps the message and tells its sender, repeating nothing of it', async () => {
    const { status, body } = await write({ topic: 'exchange', exchange_number: 'CX-AAAA-BBBB' });
    assert.equal(status, 201);
    assert.match(body.data.reference, /^MSG-\d{6}$/);
    const [email] = await emailsTo(typed.email);
    assert.equal(email?.kind, 'message-received');
    assert.doesNotMatch(JSON.stringify(email?.data), /Ada|payout/);
    const [note] = (await inbox()).data;
    assert.deepEqual(
      [note.reference, note.state, note.topic],
      [body.data.reference, 'new', 'exchange'],
    );
  });

  it('takes the longest name that an account may have: the form begins with it', async () => {
    const { status } = await write({ name: 'x'.repeat(100), email: 'long@example.com' });
    assert.equal(status, 201);
  });

  it('never loses what a machine filled in, and tells it nothing else', async () => {
    const { status } = await write({ email: 'bot@example.com', website: 'https://buy.example' });
    assert.equal(status, 201);
    assert.deepEqual(await emailsTo('bot@example.com'), []);
    assert.ok(!(await inbox()).data.some(({ email }: Json) => email === 'bot@example.com'));
    const [spam] = (await inbox('?state=spam')).data;
    assert.deepEqual([spam.email, spam.suspected], ['bot@example.com', true]);
  });

  it('keeps apart what came faster than anybody types', async () => {
    const stamp = async () => (await visitor.get('/api/public/form-stamps')).body.data.stamp;
    const given = await stamp();
    await write({ email: 'quick@example.com', stamp: given });
    await write({ email: 'forged@example.com', stamp: `${given.slice(0, -1)}!` });
    api.clock.advance(3100);
    await write({ email: 'slow@example.com', stamp: given });
    const spam = (await inbox('?state=spam')).data.map(({ email }: Json) => email);
    assert.ok(spam.includes('quick@example.com') && spam.includes('forged@example.com'));
    assert.ok(!spam.includes('slow@example.com'));
    assert.equal((await emailsTo('slow@example.com')).length, 1);
  });

  it('is one message for one form, however often it is sent; other words are another', async () => {
    const { stamp } = (await visitor.get('/api/public/form-stamps')).body.data;
    api.clock.advance(3100);
    const form = { email: 'presses@example.com', stamp };
    const [first, again] = await Promise.all([write(form), write(form)]);
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    assert.equal((await emailsTo('presses@example.com')).length, 1);
    const more = await write({ ...form, message: 'And where is my refund?' });
    assert.notEqual(more.body.data.reference, first.body.data.reference);
    assert.equal((await inbox('?q=presses@exam')).data.length, 2);
  });

  it('is a message again where the desk has deleted what the form was', async () => {
    const { stamp } = (await visitor.get('/api/public/form-stamps')).body.data;
    api.clock.advance(3100);
    const forms = ['Once.', 'Stays.'].map((message) => ({
      email: 'deleted@example.com',
      message,
      stamp,
    }));
    const [first, other] = await Promise.all(forms.map(write));
    const listed = (await inbox('?q=deleted@exam')).data;
    const { id } = listed.find(({ reference }: Json) => reference === first?.body.data.reference);
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
    const [again, same] = await Promise.all(forms.map(write));
    assert.deepEqual([again?.status, same?.body], [201, other?.body]);
    assert.notEqual(again?.body.data.reference, first?.body.data.reference);
    const left = (await inbox('?q=deleted@exam')).data.map((note: Json) => note.reference);
    assert.deepEqual(
      left.toSorted(),
      [again, same].map((answer) => answer?.body.data.reference).toSorted(),
    );
  });

  it('is no way to write to strangers: two emails a day at most', async () => {
    for (let count = 0; count < 8; count += 1) await write({ email: 'stranger@example.com' });
    assert.equal((await emailsTo('stranger@example.com')).length, 2);
    assert.equal((await inbox('?q=stranger')).data.length, 8);
  });

  it('refuses what is missing or wrong, by field (422)', async () => {
    const cases: [string, Json][] = [
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(101) }],
      ['email', { email: 'nobody' }],
      ['message', { message: '' }],
      ['message', { message: 'x'.repeat(5001) }],
      ['topic', { topic: 'love' }],
    ];
    for (const [field, change] of cases) {
      const { status, body } = await write(change);
      assert.equal(status, 422, field);
      assert.ok(body.errors[field], field);
    }
  });
});

describe('the inbox', () => {
  it('answers by mail, once for each press, and keeps notes inside', async () => {
    await write({ email: 'waits@example.com' });
    const [{ id }] = (await inbox('?q=waits@exam')).data;
    const { body: first } = await admin.get(`${path}/${id}`);
    assert.deepEqual(first.sender, {
      from: 'Cambist <no-reply@localhost>',
      answers: 'desk@localhost.localdomain',
    });
    const noted = await admin.post(`${path}/${id}/entries`, {
      version: first.data.version,
      kind: 'note',
      body: 'Known by phone.',
    });
    assert.equal(noted.body.data.state, 'open');
    const reply = {
      version: noted.body.data.version,
      kind: 'reply',
      body: 'Dear Ada,\n\nit left today.',
    };
    const [sent, again] = await Promise.all([
      admin.post(`${path}/${id}/entries`, reply),
      admin.post(`${path}/${id}/entries`, reply),
    ]);
    assert.deepEqual([sent.status, again.status].toSorted(), [201, 409]);
    const replies = (await emailsTo('waits@example.com')).filter(
      ({ kind }) => kind === 'message-reply',
    );
    assert.equal(replies.length, 1);
    assert.match(JSON.stringify(replies[0]?.data), /it left today/);
    assert.doesNotMatch(JSON.stringify(replies[0]?.data), /Known by phone/);
    const { body } = await admin.get(`${path}/${id}`);
    assert.deepEqual([body.data.state, body.data.entries.length], ['answered', 2]);
  });

  it('answers once for one key, and a repetition with what there is by then', async () => {
    await write({ email: 'waiting@example.com' });
    const [{ id }] = (await inbox('?q=waiting@exam')).data;
    const entries = `${path}/${id}/entries`;
    const { version } = (await admin.get(`${path}/${id}`)).body.data;
    const reply = { version, kind: 'reply', body: 'It left today.' };
    const [sent, again] = await Promise.all([
      admin.post(entries, reply, { key: 'lost' }),
      admin.post(entries, reply, { key: 'lost' }),
    ]);
    assert.deepEqual([sent.status, again.status, again.body], [201, 201, sent.body]);
    const noted = { version: sent.body.data.version, kind: 'note', body: 'Paid.' };
    assert.equal((await admin.post(entries, noted, { key: 'note' })).status, 201);
    const late = await admin.post(entries, reply, { key: 'lost' });
    assert.equal(late.headers['idempotency-replayed'], 'true');
    const kinds = late.body.data.entries.map(({ kind }: Json) => kind);
    assert.deepEqual(kinds, ['reply', 'note']);
    const replies = (await emailsTo('waiting@example.com')).filter(
      ({ kind }) => kind === 'message-reply',
    );
    assert.equal(replies.length, 1);
    const other = await admin.post(entries, { ...reply, body: 'No.' }, { key: 'lost' });
    assert.equal(other.status, 422);
    const left = await api.db
      .selectFrom('idempotency_keys')
      .select('body')
      .where('key', '=', 'lost')
      .execute();
    assert.deepEqual(left, [{ body: id }]);
  });

  it('is searched by the words as they read, and by those of replies and notes', async () => {
    const message = 'I paid 640.50 EUR on the “wombat” account, für Müller.';
    await write({ email: 'quoted@example.com', message });
    const [{ id }] = (await inbox('?q=quoted@exam')).data;
    for (const kind of ['note', 'reply']) {
      const { version } = (await admin.get(`${path}/${id}`)).body.data;
      await admin.post(`${path}/${id}/entries`, {
        version,
        kind,
        body: `An okapi in the ${kind}.`,
      });
    }
    for (const words of [
      'firm',
      'okapi wombat',
      '640.50',
      'wombat',
      '“wombat”',
      'muller',
      'quoted@example.com',
    ]) {
      const { data } = await inbox(`?q=${encodeURIComponent(words)}`);
      const senders = data.map(({ email }: Json) => email);
      assert.equal(senders.includes('quoted@example.com'), words !== 'firm', words);
    }
  });

  it('finds a message by its reference, among spam too, and nothing by signs alone', async () => {
    const reference = async (website = '') =>
      (await write({ email: 'asks@example.com', website })).body.data.reference as string;
    const found = async (q: string, state = '') =>
      (await inbox(`?q=${encodeURIComponent(q)}${state}`)).data.map((each: Json) => each.reference);
    const [plain, spam] = [await reference(), await reference('https://buy.example')];
    const number = String(Number(plain.slice(4)));
    for (const q of [plain, `msg-${number}`, ` MSG ${number}`, number.padStart(6, '0'), number]) {
      assert.deepEqual(await found(q), [plain], q);
    }
    assert.deepEqual(await found(spam), [spam]);
    assert.deepEqual(await found(plain, '&state=closed'), []);
    for (const q of ['%', '_', 'MSG-000000', 'msg-999999999999999999', '9'.repeat(40)]) {
      assert.deepEqual(await found(q), [], q);
    }
    assert.ok((await found(' ')).length > 2);
  });

  it('is sorted, searched, paged and counted', async () => {
    await write({ email: 'sorted@example.com', message: 'A zebra crossing' });
    const [{ id }] = (await inbox('?q=zeb')).data;
    const { body } = await admin.get(`${path}/${id}`);
    const closed = await admin.patch(`${path}/${id}`, {
      version: body.data.version,
      state: 'closed',
    });
    assert.equal(closed.body.data.state, 'closed');
    const stale = await admin.patch(`${path}/${id}`, { version: body.data.version, state: 'open' });
    assert.equal(stale.status, 409);
    const page = await inbox('?per_page=2');
    const next = await inbox(`?per_page=2&cursor=${page.meta.next_cursor}`);
    assert.equal(new Set([...page.data, ...next.data].map(({ id: each }: Json) => each)).size, 4);
    assert.equal(page.counts.spam, 4);
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
    assert.equal((await admin.get(`${path}/${id}`)).status, 404);
  });
});
