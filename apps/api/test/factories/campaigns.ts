/** A desk with a mail server, and campaigns to subscribers of languages that no other test uses. */
import assert from 'node:assert/strict';
import { handOverBatch } from '#features/newsletter/sending.ts';
import type { Client, Json } from '#test/client.ts';
import type { Cleanup } from '#test/database.ts';
import { startTestApi } from '#test/harness.ts';
import { refusal, startSmtp, until, type Received } from '#test/fakes/smtp.ts';

export const campaignsPath = '/api/admin/campaigns';
export const campaignContent = {
  subject: 'Rates in May',
  preview: 'What moved',
  body: '<h2>May</h2><p>See <a href="/rates">all</a>.</p><script>x()</script>',
  locale: null,
};

export async function openCampaigns(t: Cleanup) {
  /** What a test wants of the mail server: it may wait, or throw its refusal. */
  const server: {
    taking: ((email: Received) => Promise<void> | void) | null;
    unknown: RegExp | null;
  } = { taking: null, unknown: null };
  const smtp = await startSmtp(t, {
    accept: (email) => server.taking?.(email),
    options: {
      onRcptTo({ address }, _session, done) {
        if (server.unknown?.test(address)) done(refusal(550, '5.1.1 No such user here'));
        else if (address.startsWith('relay')) done(refusal(554, '5.7.1 Relay access denied'));
        else done();
      },
    },
  });
  const api = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
  const { client: admin, user } = await api.asAdmin({ name: 'Ines' });

  async function draft(change: Json = {}, client: Client = admin): Promise<Json> {
    const { body } = await client.post(campaignsPath, {});
    const path = `${campaignsPath}/${body.data.id}`;
    const saved = await client.put(path, { version: 1, ...campaignContent, ...change });
    assert.equal(saved.status, 200, saved.text);
    return saved.body.data;
  }

  /** Confirmed, and of this language. */
  async function subscribers(locale: string, count: number, name = locale): Promise<string[]> {
    const emails = Array.from({ length: count }, (_, at) => `${name}-${at}@example.com`);
    const now = new Date();
    const one = { locale, state: 'confirmed' as const, asked_at: now, confirmed_at: now };
    const values = emails.map((email) => ({
      ...one,
      id: crypto.randomUUID(),
      email,
      left_at: null,
    }));
    await api.db.insertInto('subscribers').values(values).execute();
    return emails;
  }

  const get = async (id: string): Promise<Json> =>
    (await admin.get(`${campaignsPath}/${id}`)).body.data;

  /** Batches come every ten seconds; here at once, as often as it takes. */
  async function pumped(id: string, is: (campaign: Json) => boolean): Promise<Json> {
    let found: Json = {};
    await until(async () => {
      await api.db.updateTable('campaigns').set({ batch_at: null }).execute();
      await handOverBatch(api.deps);
      found = await get(id);
      return is(found);
    }, 15_000);
    return found;
  }

  async function stateOf(email: string): Promise<string> {
    const row = await api.db
      .selectFrom('subscribers')
      .select('state')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return row.state;
  }

  return {
    api,
    admin,
    user,
    server,
    smtp,
    draft,
    subscribers,
    get,
    pumped,
    stateOf,
    send: ({ id, version }: Json, recipients: number, send_at: string | null = null) =>
      admin.post(`${campaignsPath}/${id}/send`, { version, send_at, recipients }),
    act: (id: string, name: string) => admin.post(`${campaignsPath}/${id}/acts`, { act: name }),
    receivedBy: (emails: readonly string[]) =>
      smtp.received.filter(({ recipients }) => recipients.some((each) => emails.includes(each))),
  };
}
