/** Imports of subscribers: what a file would add, what it skips and why, and that it adds just that. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { parseFile, readCandidates } from './import-file.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin({ name: 'Ines' });
const path = '/api/admin/subscriber-imports';
const agreed = { consent: 'Asked for it on paper at the fair.', consented_on: '2026-05-02' };
const onlyEmail = { email: 0, language: null, consent: null };

async function preview(csv: string, columns?: Json): Promise<Json> {
  const answer = await admin.post(`${path}/preview`, columns ? { csv, columns } : { csv });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function importAll(csv: string, columns: Json = onlyEmail): Promise<Json> {
  const answer = await admin.post(path, { name: 'fair.csv', csv, columns, ...agreed });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

const rowOf = (email: string) =>
  api.db.selectFrom('subscribers').selectAll().where('email', '=', email).executeTakeFirst();

async function add(email: string, state: 'pending' | 'confirmed' | 'left' | 'bounced') {
  const now = new Date();
  const times = { asked_at: now, confirmed_at: null, left_at: state === 'left' ? now : null };
  await api.db
    .insertInto('subscribers')
    .values({ id: crypto.randomUUID(), email, locale: 'en', state, ...times })
    .execute();
}

describe('the import of subscribers', () => {
  it('previews what it would add and skip, and then does exactly that', async () => {
    await add('there@example.com', 'confirmed');
    await add('asked@example.com', 'pending');
    await add('LEFT@example.com', 'left');
    await add('dead@example.com', 'bounced');
    const csv = [
      'Name;Email;Language;Consent',
      'A;new@example.com;de;yes',
      'B;There@example.com;;yes',
      'C;asked@example.com;;1',
      'D;left@example.com;;true',
      'E;nobody;;yes',
      'F;NEW@example.com;;yes',
      '"G\nof two lines";other@example.com;xx-yy;Subscribed',
      'H;unsure@example.com;;perhaps',
      'I;silent@example.com;;',
      'J;dead@example.com;;yes',
      ';;;',
    ].join('\r\n');
    const seen = await preview(csv);
    assert.deepEqual(seen.columns, { email: 1, language: 2, consent: 3 });
    assert.deepEqual([seen.rows, seen.added], [10, 2]);
    assert.deepEqual(seen.sample, [
      { email: 'new@example.com', language: 'de' },
      { email: 'other@example.com', language: 'en' },
    ]);
    const skipped = seen.skipped.map(({ reason, count }: Json) => `${reason} ${count}`);
    assert.deepEqual(skipped, [
      'invalid_address 1',
      'no_consent 2',
      'repeated 1',
      'already_subscribed 2',
      'unsubscribed 1',
      'undeliverable 1',
    ]);
    assert.deepEqual(seen.skipped[0].examples, [{ line: 6, text: 'nobody' }]);
    assert.equal(await rowOf('new@example.com'), undefined, 'a preview writes nothing');

    const done = await importAll(csv, seen.columns);
    assert.deepEqual([done.added, done.skipped, done.created_by], [2, 8, 'Ines']);
    const row = await rowOf('new@example.com');
    assert.deepEqual(
      [row?.state, row?.locale, row?.source, row?.import_id],
      ['confirmed', 'de', 'import', done.id],
    );
    assert.equal((await rowOf('asked@example.com'))?.state, 'pending');
    assert.equal((await rowOf('LEFT@example.com'))?.state, 'left');
    const { body } = await admin.get(path);
    assert.deepEqual(body.data[0], done);
    const { data } = await api.db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'newsletter.imported')
      .executeTakeFirstOrThrow();
    assert.deepEqual(data, { added: 2, skipped: 8, ...agreed });
  });

  it('reads the columns that the admin picks, where no heading names them', async () => {
    const csv = 'Kunde,Adresse,Zustimmung\nA,pick@example.com,x\nB,no@example.com,nein\n';
    const unknown = await preview(csv);
    assert.deepEqual([unknown.columns.email, unknown.added], [null, 0]);
    assert.deepEqual(unknown.headings, ['Kunde', 'Adresse', 'Zustimmung']);
    const picked = await preview(csv, { email: 1, language: null, consent: 2 });
    assert.deepEqual([picked.added, picked.skipped[0].reason], [1, 'no_consent']);
  });

  it('takes a plain list of addresses, and what the export gives', async () => {
    assert.deepEqual((await preview('one@example.com\ntwo@example.com')).added, 2);
    const { text } = await admin.get('/api/admin/subscribers/export');
    const again = await preview(text);
    assert.deepEqual([again.added, again.columns.language], [0, 1]);
    assert.ok(!again.skipped.some(({ reason }: Json) => reason === 'invalid_address'));
  });

  it('never adds an address that unsubscribed or was deleted', async () => {
    await importAll('deleted@example.com');
    const row = await rowOf('deleted@example.com');
    assert.equal((await admin.delete(`/api/admin/subscribers/${row?.id}`)).status, 204);
    const seen = await preview('Deleted@Example.com');
    assert.deepEqual([seen.added, seen.skipped[0].reason], [0, 'unsubscribed']);
    assert.equal((await importAll('Deleted@Example.com')).added, 0);
    assert.equal(await rowOf('Deleted@Example.com'), undefined);
    // The person's own request is another matter.
    await api.client().post('/api/subscribers', { email: 'deleted@example.com' });
    assert.equal((await rowOf('deleted@example.com'))?.state, 'pending');
  });

  it('adds each address once, also when two admins import the same file at once', async () => {
    const csv = Array.from({ length: 50 }, (_, at) => `race-${at}@example.com`).join('\n');
    const done = await Promise.all([importAll(csv), importAll(csv)]);
    assert.equal(
      done.reduce((sum, { added }) => sum + added, 0),
      50,
    );
  });

  it('takes 20,000 addresses at once', async () => {
    const csv = Array.from({ length: 20_000 }, (_, at) => `many-${at}@example.com`).join('\n');
    assert.equal((await importAll(csv)).added, 20_000);
  });

  it('is refused without a readable file, a real consent or a confirmation', async () => {
    for (const csv of ['email\n', ' \n']) {
      const { status, body } = await admin.post(`${path}/preview`, { csv });
      assert.equal(status, 422, JSON.stringify(csv));
      assert.match(body.errors.csv[0], /no addresses/);
    }
    const unclosed = await admin.post(`${path}/preview`, { csv: 'email\na@example.com\n"b\n' });
    assert.match(unclosed.body.errors.csv[0], /cannot be read at line 3/);
    const large = await admin.post(`${path}/preview`, { csv: 'x'.repeat(900_001) });
    assert.equal(large.status, 422);
    const body = { name: 'a.csv', csv: 'a@example.com', columns: onlyEmail, ...agreed };
    for (const wrong of [{ consent: 'yes' }, { consented_on: '2999-01-01' }, { columns: {} }]) {
      assert.equal((await admin.post(path, { ...body, ...wrong })).status, 422);
    }
    api.clock.advance(11 * 60_000);
    const stale = await admin.post(path, body);
    assert.deepEqual([stale.status, stale.body.code], [403, 'confirmation_required']);
  });
});

describe('an address in a file', () => {
  const emails = (cells: readonly string[]) => {
    const file = parseFile(['email', ...cells].join('\n'));
    const { candidates, skipped } = readCandidates(file, onlyEmail);
    return { taken: candidates.map(({ email }) => email), skipped: skipped.length };
  };

  it('may have an international host, and is stored as a browser sends it', () => {
    const cells = ['info@bücher.example', 'info@例え.テスト', "'+tag@example.com", 'A@Example.com'];
    assert.deepEqual(emails(cells).taken, [
      'info@xn--bcher-kva.example',
      'info@xn--r8jz45g.xn--zckzah',
      '+tag@example.com',
      'A@Example.com',
    ]);
  });

  it('is invalid with other characters before the host, or a host that is none', () => {
    const wrong = ['öz@example.com', 'a@bücher', 'a@bücher.example/x', 'a@ü..example', 'a@b@c.de'];
    assert.deepEqual(emails(wrong), { taken: [], skipped: wrong.length });
  });
});
