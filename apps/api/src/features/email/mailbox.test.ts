/** The local mailbox: an email's way into the browser, and who may look. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';
import { until } from '#test/fakes/smtp.ts';
import { enqueueEmail } from './email.ts';

const api = await startTestApi({ after }, { jobs: true });
const folder = join(api.deps.config.dataDir, 'mailbox');
const guest = api.client();

await transaction(api.db, (tx) =>
  enqueueEmail(api.deps, tx, {
    kind: 'test-kind',
    to: {
      email: 'alex@example.com',
      userId: null,
      name: '<i>Alex</i>',
      locale: 'en',
      proved: true,
    },
    content: {
      subject: 'Confirm <your> address for CX-F73K-Q92D',
      preview: '',
      heading: 'Hello',
      paragraphs: ['Words.'],
      action: { label: 'Confirm', path: '/verify-email' },
    },
    secret: 'token-0123456789',
  }),
);
await until(async () => (await api.deps.sql`select from emails where state = 'sent'`).length === 1);
const [name = ''] = readdirSync(folder);
const id = name.replace('.json', '');

describe('the local mailbox', () => {
  it('stores emails in private files', () => {
    assert.deepEqual(readdirSync(folder), [`${id}.json`]);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  it('lists them', async () => {
    const { status, text, headers } = await guest.get('/dev/mail');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.ok(text.includes(`href="/dev/mail/${id}"`));
    assert.ok(text.includes('Confirm &lt;your&gt; address for CX-F73K-Q92D'));
    assert.ok(!text.includes('<i>Alex'));
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'none'.*frame-src 'self'/,
    );
  });

  it('shows one, its HTML in a frame without rights and its text with links', async () => {
    const { status, text } = await guest.get(`/dev/mail/${id}`);
    assert.equal(status, 200);
    assert.match(text, /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const link = 'http://localhost:4000/verify-email?token=token-0123456789';
    assert.ok(text.includes(`<a href="${link}" target="_blank" rel="noopener">${link}</a>`));

    const frame = await guest.get(`/dev/mail/${id}/html`);
    assert.equal(frame.status, 200);
    assert.equal(frame.headers['x-frame-options'], 'SAMEORIGIN');
    const policy = String(frame.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*sandbox allow-popups/);
    // The library's pictures, and nothing that tells anybody of the reader.
    assert.match(policy, /; img-src http:\/\/localhost:4000\/media\/;/);
    assert.doesNotMatch(policy, /allow-scripts|allow-same-origin/);
    assert.ok(frame.text.includes('<base target="_blank">'));
    assert.ok(frame.text.includes(`<a href="${link}"`));
  });

  it('knows no other names', async () => {
    for (const other of ['00000000-0000-7000-8000-000000000000', '..%2F..%2Fcache%2Fconfig', 'x']) {
      assert.ok([404, 422].includes((await guest.get(`/dev/mail/${other}`)).status), other);
    }
  });

  it('answers this machine only, under its own name', async () => {
    const ask = (remoteAddress: string, host: string) =>
      api.app.inject({ url: '/dev/mail', remoteAddress, headers: { host } });
    assert.equal((await ask('127.0.0.1', 'localhost:8000')).statusCode, 200);
    assert.equal((await ask('::1', '[::1]:8000')).statusCode, 200);
    assert.equal((await ask('192.0.2.1', 'localhost:8000')).statusCode, 404);
    assert.equal((await ask('127.0.0.1', 'evil.example.com')).statusCode, 404);
  });

  it('is not there in production', async (t) => {
    const there = await startTestApi(t, { config: { appEnv: 'production' } });
    assert.equal((await there.client().get('/dev/mail')).status, 404);
  });
});
