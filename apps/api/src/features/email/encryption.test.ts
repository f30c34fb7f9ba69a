/** A mail server whose certificate nobody vouches for: what is sent to it, and what is not. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApi } from '#test/harness.ts';
import { startSmtp } from '#test/fakes/smtp.ts';

/** Offers STARTTLS with a certificate of its own making. */
async function open(t: TestContext) {
  const seen: string[] = [];
  const { port } = await startSmtp(t, {
    options: {
      disabledCommands: [],
      onAuth: ({ username }, _session, done) => done(null, { user: username ?? '' }),
      onMailFrom(_address, { secure, user }, done) {
        seen.push(`${secure ? 'encrypted' : 'clear'} ${user || 'nobody'}`);
        done();
      },
    },
  });
  return { port, seen };
}

async function answerOf(t: TestContext, env: Readonly<Record<string, string>>, mail?: object) {
  const api = await startTestApi(t, { env });
  const { client } = await api.asAdmin();
  if (mail) {
    const path = '/api/admin/settings/mail';
    const { body } = await client.get(path);
    const { value, version } = body.data;
    const set = { version, value: { ...value, ...mail } };
    const saved = await client.put(path, set);
    assert.equal(saved.status, 200, saved.text);
  }
  const sent = await client.post('/api/admin/mail/test', { recipient: 'ana@example.com' });
  return sent.body.data;
}

it('a server is named without its port', async (t) => {
  const { client } = await (await startTestApi(t)).asAdmin();
  const path = '/api/admin/settings/mail';
  const { version, value } = (await client.get(path)).body.data;
  const wrong = [
    'smtp.example.com:587',
    'localhost:5073',
    '...',
    '-a',
    'a.-b',
    'a..b',
    ':',
    ':::::',
    'cafe:25:1',
    '999.1.1.1',
    '1',
    '[::1]',
    'smtp.example.com/x',
    'mail example.com',
    'bücher.example',
  ];
  for (const host of wrong) {
    const { status, body } = await client.put(path, { version, value: { ...value, host } });
    assert.deepEqual([host, status, Object.keys(body.errors ?? {})], [host, 422, ['host']]);
    assert.match(body.errors.host[0], /^The server name must be a name such as/, host);
  }
  const right = [
    'smtp.example.com',
    'localhost',
    'a-b.example.',
    '127.0.0.1',
    '::1',
    'fe80::1',
    '',
  ];
  for (const [step, host] of right.entries()) {
    const next = { version: version + step, value: { ...value, host } };
    assert.equal((await client.put(path, next)).status, 200, host);
  }
});

describe('a server with a certificate of its own making', () => {
  it('gets emails encrypted where they would go in the clear too', async (t) => {
    const { port, seen } = await open(t);
    for (const user of ['', 'desk:right@']) {
      const { answer } = await answerOf(t, { MAIL_URL: `smtp://${user}127.0.0.1:${port}` });
      assert.match(answer, /^250 /);
    }
    assert.deepEqual(seen, ['encrypted nobody', 'encrypted desk']);
  });

  it('gets nothing where encryption was demanded', async (t) => {
    const { port, seen } = await open(t);
    const mail = { host: '127.0.0.1', port, security: 'starttls', username: '' };
    const { accepted, answer } = await answerOf(t, {}, mail);
    assert.deepEqual([accepted, seen], [false, []]);
    assert.match(answer, /certificate/);
  });
});
