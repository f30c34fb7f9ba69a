import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { until } from '#test/smtp.ts';
import { folder } from './import-reading.ts';
import { forgetUndecided, sweepFiles, workOnImport } from './imports.ts';

const api = await startTestApi({ after }, { jobs: true });
const { client: admin } = await api.asAdmin({ name: 'Ines' });
const path = '/api/admin/subscriber-imports';
const agreed = { consent: 'Asked for it on paper at the fair.', consented_on: '2026-05-02' };

const send = (content: string | Buffer, client = admin) =>
  client.upload(path, 'file', {
    name: 'fair.csv',
    bytes: Buffer.from(content as string),
    type: 'text/csv',
  });

async function upload(content: string | Buffer): Promise<Json> {
  const { status, body } = await send(content);
  assert.equal(status, 201, JSON.stringify(body));
  return settled(body.data.id, 'reading');
}

async function settled(id: string, from: string): Promise<Json> {
  let found: Json = {};
  await until(async () => {
    found = (await admin.get(`${path}/${id}`)).body.data;
    return found.state !== from;
  }, 20_000);
  return found;
}

async function write(id: string): Promise<Json> {
  assert.equal((await admin.post(`${path}/${id}/start`, agreed)).status, 200);
  return settled(id, 'writing');
}

const rowOf = (email: string) =>
  api.db.selectFrom('subscribers').selectAll().where('email', '=', email).executeTakeFirst();

const setImport = (id: string, change: { stored_name: string; state?: 'reading' }) =>
  api.db.updateTable('subscriber_imports').set(change).where('id', '=', id).execute();

async function add(email: string, state: 'pending' | 'confirmed' | 'left'): Promise<void> {
  const now = new Date();
  const times = { asked_at: now, confirmed_at: null, left_at: state === 'left' ? now : null };
  await api.db
    .insertInto('subscribers')
    .values({ id: crypto.randomUUID(), email, locale: 'en', state, ...times })
    .execute();
}

describe('a list of subscribers', () => {
  it('shows what it would do before anybody is added, and does that', async () => {
    await add('there@example.com', 'confirmed');
    await add('asked@example.com', 'pending');
    await add('LEFT@example.com', 'left');
    const lines = [
      'Name,E-Mail,language,status',
      'A,new@example.com,de,',
      'B,There@example.com,,',
      'C,asked@example.com,,',
      'D,left@example.com,,',
      'E,nobody,,',
      'F,NEW@example.com,,',
      '"G\nof two lines",other@example.com,xx-yy,subscribed',
      'H,gone@example.com,,unsubscribed',
      'I,,,',
    ];
    const ready = await upload(lines.join('\r\n'));
    assert.equal(ready.state, 'ready');
    const { added, known, left_before, left_in_file, repeated, invalid, lines: count } = ready;
    assert.deepEqual(
      { added, known, left_before, left_in_file, repeated, invalid, count },
      { added: 2, known: 2, left_before: 1, left_in_file: 1, repeated: 1, invalid: 2, count: 9 },
    );
    assert.deepEqual([ready.address_column, ready.locale_column], ['E-Mail', 'language']);
    const unnamed = [{ column: 'language', word: 'xx-yy', lines: 1 }];
    assert.deepEqual([ready.unknown_languages, ready.unknown_words], [unnamed, []]);
    assert.deepEqual(ready.faults, [
      { line: 6, text: 'nobody' },
      { line: 11, text: '' },
    ]);
    assert.equal(await rowOf('new@example.com'), undefined, 'nothing is written yet');

    const done = await write(ready.id);
    assert.deepEqual([done.state, done.added, done.known, done.left_before], ['done', 2, 2, 1]);
    assert.equal(done.left_in_file, 1);
    const row = await rowOf('new@example.com');
    assert.deepEqual(
      [row?.state, row?.locale, row?.source, row?.import_id],
      ['confirmed', 'de', 'import', ready.id],
    );
    assert.equal((await rowOf('asked@example.com'))?.state, 'pending');
    assert.equal((await rowOf('LEFT@example.com'))?.state, 'left');
    assert.deepEqual(
      [done.consent, done.consented_on, done.created_by],
      [agreed.consent, agreed.consented_on, 'Ines'],
    );
    const { body } = await admin.get('/api/admin/subscribers?q=new@');
    assert.deepEqual([body.data[0].source, body.data[0].import_id], ['import', ready.id]);
  });

  it('adds nobody whose state it does not understand, and says so before', async () => {
    const lines = [
      'Name,Address,Email,Email Marketing Status',
      'A,1 High St,status-a@example.com,Subscribed',
      'B,2 High St,status-b@example.com,Marked as spam',
      'C,3 High St,status-c@example.com,vielleicht',
      'D,4 High St,status-d@example.com,vielleicht',
      'E,5 High St,status-e@example.com,free',
    ];
    const ready = await upload(lines.join('\n'));
    const { added, left_in_file, not_understood, invalid } = ready;
    assert.deepEqual([added, left_in_file, not_understood, invalid], [1, 1, 3, 0]);
    assert.equal(ready.locale_column, null);
    const column = 'Email Marketing Status';
    assert.deepEqual(ready.unknown_words, [
      { column, word: 'vielleicht', lines: 2 },
      { column, word: 'free', lines: 1 },
    ]);
    assert.deepEqual([ready.address_column, ready.state_columns], ['Email', [column]]);
    const done = await write(ready.id);
    assert.deepEqual([done.added, done.left_in_file, done.not_understood], [1, 1, 3]);
    assert.deepEqual(done.unknown_words, ready.unknown_words);
    assert.equal((await rowOf('status-a@example.com'))?.state, 'confirmed');
    for (const name of 'bcde') assert.equal(await rowOf(`status-${name}@example.com`), undefined);
  });

  it('reads on past what the database would not take', async () => {
    const cut = `${'x'.repeat(59)}🎉`;
    const lines = ['nul@example.com,de\0', `half@example.com,${cut}`, '\0nobody,en'];
    const ready = await upload(['email\0,language\0', ...lines].join('\n'));
    assert.deepEqual([ready.state, ready.added, ready.invalid], ['ready', 2, 1]);
    assert.deepEqual([ready.address_column, ready.locale_column], ['email', 'language']);
    const words = ready.unknown_languages.map(({ word }: Json) => word);
    assert.deepEqual(words, ['de', `${'x'.repeat(59)}\uFFFD`]);
  });

  it('counts all whose language is not known, by the first fifty words for it', async () => {
    const lines = Array.from({ length: 53 }, (_, at) => `tongue-${at}@example.com,Tongue ${at}`);
    const { added, unknown_languages: found } = await upload(
      ['email,language', ...lines, 'tongue@example.com,Tongue 0'].join('\n'),
    );
    const counts = found.map(({ word, lines: count }: Json) => `${word}: ${count}`);
    assert.deepEqual(
      [added, found.length, counts.slice(0, 3)],
      [54, 51, [': 3', 'Tongue 0: 2', 'Tongue 1: 1']],
    );
  });

  it('adds nobody twice, however often it is started or its job runs', async () => {
    const { id } = await upload('email\ntwice@example.com\n');
    const starts = await Promise.all([
      admin.post(`${path}/${id}/start`, agreed),
      admin.post(`${path}/${id}/start`, agreed),
    ]);
    assert.deepEqual(
      starts.map(({ status }) => status),
      [200, 200],
    );
    const done = await settled(id, 'writing');
    await workOnImport(api.deps, id);
    assert.deepEqual((await admin.get(`${path}/${id}`)).body.data, done);
    assert.equal(done.added, 1);
    const again = await write((await upload('email\ntwice@example.com\n')).id);
    assert.deepEqual([again.added, again.known], [0, 1]);
  });

  it('is listed in the order of its lines, the last first', async () => {
    await sql`analyze`.execute(api.db);
    const emails = Array.from({ length: 240 }, (_, n) => `inline${n}@example.com`);
    await write((await upload(['email', ...emails].join('\n'))).id);
    const { body } = await admin.get('/api/admin/subscribers?q=inline&per_page=50');
    const listed = body.data.map(({ email }: Json) => email);
    assert.deepEqual(listed, emails.toReversed().slice(0, 50));
  });

  it('never brings back who left, nor who was deleted', async () => {
    await write((await upload('email\ndeleted@example.com\n')).id);
    const row = await rowOf('deleted@example.com');
    assert.equal((await admin.delete(`/api/admin/subscribers/${row?.id}`)).status, 204);
    const ready = await upload('email\nDeleted@Example.com\n');
    assert.deepEqual([ready.added, ready.left_before], [0, 1]);
    const done = await write(ready.id);
    assert.deepEqual([done.added, done.left_before], [0, 1]);
    assert.equal(await rowOf('Deleted@Example.com'), undefined);
    // Their own wish is another matter.
    await api.client().post('/api/subscribers', { email: 'deleted@example.com' });
    assert.equal((await rowOf('deleted@example.com'))?.state, 'pending');
  });

  it('takes what the export gives', async () => {
    const { text } = await admin.get('/api/admin/subscribers/export');
    const lines = text.trim().split('\r\n').length - 1;
    const ready = await upload(text);
    assert.deepEqual([ready.added, ready.invalid, ready.lines], [0, 0, lines]);
  });

  it('says why it cannot be read, and is dropped when nobody wants it', async () => {
    assert.equal((await upload('name,city\nA,B\n')).fault, 'no_address_column');
    assert.equal((await upload('\u00ff\u00fe')).fault, 'no_address_column');
    assert.equal((await upload(Buffer.from([0xe4, 0xff, 0x0a]))).fault, 'not_utf8');
    const unclosed = await upload('email\nnobody\n"a@example.com\n');
    assert.deepEqual(
      [unclosed.fault, unclosed.faults],
      ['unclosed_quote', [{ line: 3, text: '' }]],
    );
    const { id } = await upload('email\ndropped@example.com\n');
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
    assert.equal((await admin.post(`${path}/${id}/start`, agreed)).status, 409);
    assert.ok(!(await admin.get(path)).body.data.some((each: Json) => each.id === id));
    const rows = await api.db
      .selectFrom('subscriber_import_rows')
      .select('line')
      .where('import_id', '=', id)
      .execute();
    assert.equal(rows.length, 0);
  });

  it('is refused with nothing in it but headings, and is not kept', async () => {
    for (const nothing of ['email', 'Name,E-Mail\r\n', 'email;status\n;\n\n', '\n \n']) {
      const { status, body } = await send(nothing);
      assert.equal(status, 422, nothing);
      assert.match(body.errors.file[0], /nothing in the file/);
    }
    assert.deepEqual(await api.deps.files.list(folder), []);
    assert.equal((await upload('alone@example.com')).lines, 1);
  });

  it('leaves no file of addresses behind, whatever was interrupted', async () => {
    const { files } = api.deps;
    const names = async () => (await files.list(folder)).map(({ name }) => name);
    const kept = () => files.save(folder, Buffer.from('email\nkept@example.com\n'), 'csv');
    // Before there was a row, after it was read, before it was dropped; and one that waits.
    const stray = await kept();
    const { id: read } = await upload('email\nread@example.com\n');
    const { id: dropped } = await upload('email\ndrop@example.com\n');
    const { id: waits } = await upload('email\nwaits@example.com\n');
    const [readFile, droppedFile, waiting] = [await kept(), await kept(), await kept()];
    await setImport(read, { stored_name: readFile });
    await setImport(dropped, { stored_name: droppedFile });
    await setImport(waits, { stored_name: waiting, state: 'reading' });
    assert.equal((await admin.delete(`${path}/${dropped}`)).status, 204);
    assert.deepEqual((await names()).toSorted(), [stray, readFile, waiting].toSorted());
    await sweepFiles(api.deps);
    assert.equal((await names()).length, 3, 'one that has just come may have its row yet');
    const later = { ...api.deps, clock: () => new Date(Date.now() + 2 * HOUR) };
    assert.equal(await sweepFiles(later), 2);
    assert.deepEqual(await names(), [waiting]);

    // A list that could never be read to its end is not kept for ever either.
    const week = new Date(Date.now() + 8 * 24 * HOUR);
    await forgetUndecided(api.deps, week);
    assert.deepEqual(await names(), []);
    assert.equal((await admin.get(`${path}/${waits}`)).body.data.state, 'dropped');
  });

  it('needs a consent that can be one, a fresh confirmation and the permission', async () => {
    const { id } = await upload('email\nconsent@example.com\n');
    for (const wrong of [
      { ...agreed, consent: 'yes' },
      { ...agreed, consented_on: '2999-01-01' },
      { consent: agreed.consent },
    ]) {
      assert.equal((await admin.post(`${path}/${id}/start`, wrong)).status, 422);
    }
    api.clock.advance(11 * 60_000);
    const stale = await admin.post(`${path}/${id}/start`, agreed);
    assert.deepEqual([stale.status, stale.body.code], [403, 'confirmation_required']);
    const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await desk.get(path)).status, 403);
  });

  it('may have 20,000 lines, in batches whose place is kept', async () => {
    const { client } = await api.asAdmin();
    const text = Array.from({ length: 20_000 }, (_, at) => `many-${at}@example.com`).join('\n');
    const { body } = await send(text, client);
    const ready = await settled(body.data.id, 'reading');
    assert.deepEqual([ready.added, ready.lines], [20_000, 20_000]);
    assert.equal((await client.post(`${path}/${ready.id}/start`, agreed)).status, 200);
    const done = await settled(ready.id, 'writing');
    assert.equal(done.added, 20_000);
    const { body: list } = await client.get('/api/admin/subscribers?per_page=1');
    const { count } = await api.db
      .selectFrom('subscribers')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('state', '=', 'confirmed')
      .executeTakeFirstOrThrow();
    assert.equal(list.counts.confirmed, Number(count));
  });
});
