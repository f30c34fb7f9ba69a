/** The emails about an exchange, enqueued in the transaction of its action. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EmailContent } from '#features/email/email.ts';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import {
  IBAN,
  approve,
  cancel,
  claim,
  complete,
  create,
  createBody,
  deskPath,
  openDesk,
  passPayBy,
  quote,
  startTestDesk,
  submit,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { startSmtp } from '#test/fakes/smtp.ts';
import { endOverdue } from './actions/end-unpaid.ts';
import { openContext } from './context.ts';

const { api, admin } = await startTestDesk({ after }, { send_fee: { fixed: '1', percent: '0' } });

interface Message {
  kind: string;
  subject: string;
  content: EmailContent;
}

/** All emails about an exchange, in order. */
async function emailsAbout(number: string): Promise<Message[]> {
  const rows = await api.db
    .selectFrom('emails')
    .select(['kind', 'subject', 'data'])
    .where('subject', 'like', `%${number}%`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, subject, data }) => ({
    kind,
    subject,
    content: (data as { content: EmailContent }).content,
  }));
}

const kinds = async ({ number }: Json) => (await emailsAbout(number)).map(({ kind }) => kind);

async function member(): Promise<Client> {
  return (await api.asMember()).client;
}

describe('the email about a new exchange', () => {
  it('has every figure and how to pay', async () => {
    const exchange = await create(await member(), '100.00');
    const [message] = await emailsAbout(exchange.number);
    assert.equal(message?.kind, 'exchange-created');
    const facts = Object.fromEntries(
      message?.content.facts?.map(({ label, value }) => [label, value]) ?? [],
    );
    assert.deepEqual(facts, {
      Exchange: exchange.number,
      Pay: '100.00 USD',
      'Pay by': facts['Pay by'],
      To: 'Desk account',
      IBAN: 'GB29 NWBK 6016 1331 9268 19',
      Reference: exchange.number,
      Fee: '1.00 USD',
      Exchanged: '99.00 USD',
      Rate: '1 USD = 0.9108 EUR',
      'You receive': `${exchange.receive_amount} EUR`,
      By: 'Bank transfer',
      'Payout: Account holder': 'Alex Marlow',
      'Payout: IBAN': IBAN,
    });
    assert.match(facts['Pay by'] ?? '', /^\d{1,2} \w+ \d{4},? \d{2}:\d{2} UTC$/);
    assert.ok(message?.content.paragraphs.includes('Put the reference into the payment.'));
    assert.deepEqual(message?.content.action?.path, `/exchanges/${exchange.number}`);
  });

  it('is enqueued with the exchange or not at all', async () => {
    const client = await member();
    const count = async () => (await api.deps.sql`select from emails`).length;
    // The hold on the payout comes last, after the email, and this reserve does not cover it.
    await addCurrency(admin, 'gbp', { position: 3 });
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '1000');
    const { token } = await quote(client, '100.00', 'usd-to-gbp');
    await stock(admin, 'gbp', '990', 'out');
    const before = await count();
    const refused = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(refused.status, 409, refused.text);
    assert.equal(await count(), before);

    const rich = await quote(client, '5000.00');
    await api.deps
      .sql`alter table emails add constraint no_more check (created_at < now() - interval '1 day') not valid`;
    const failed = await client.post('/api/exchanges', createBody(rich.token), { key: true });
    await api.deps.sql`alter table emails drop constraint no_more`;
    assert.equal(failed.status, 500);
    const own = await client.get('/api/exchanges');
    assert.deepEqual(own.body.data, []);
  });

  it('asks for the transaction hash where a transfer has no reference', async () => {
    await addCurrency(admin, 'usdt', { kind: 'chain', position: 4 });
    await addPair(admin, 'usdt', 'eur');
    const client = await member();
    const exchange = await create(client, '100.00', 'usdt-to-eur');
    await upload(client, exchange.number);
    const url = `/api/exchanges/${exchange.number}`;
    const { version } = (await client.get(url)).body.data;
    const body = { version, payment_reference: '9f2c41d0' };
    const paid = await client.post(`${url}/submission`, body, { key: true });
    assert.equal(paid.status, 200, paid.text);
    const [created, submitted] = await emailsAbout(exchange.number);
    assert.match(created?.content.paragraphs[0] ?? '', /with the transaction hash/);
    assert.doesNotMatch(created?.content.preview ?? '', /reference/);
    assert.ok(created?.content.facts?.every(({ label }) => label !== 'Reference'));
    assert.ok(
      submitted?.content.facts?.some(
        ({ label, value }) => label === 'Transaction hash' && value === '9f2c41d0',
      ),
    );
  });

  it('is not enqueued again when the request is repeated', async () => {
    const client = await member();
    const { token } = await quote(client);
    const first = await client.post('/api/exchanges', createBody(token), { key: 'once-only-1' });
    await client.post('/api/exchanges', createBody(token), { key: 'once-only-1' });
    assert.deepEqual(await kinds(first.body.data), ['exchange-created']);
  });

  it('arrives through a mail server', async (t) => {
    const smtp = await startSmtp(t);
    const there = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
    const { client: desk } = await there.asAdmin();
    await openDesk(desk);
    const { client, user } = await there.asMember({ name: 'Zoë <Müller>' });
    const exchange = await create(client, '250.00');
    const got = await smtp.next((each) => each.subject?.includes(exchange.number) ?? false);
    assert.deepEqual(got.to, [{ name: 'Zoë <Müller>', address: user.email }]);
    for (const words of ['250.00 USD', 'GB29 NWBK 6016 1331 9268 19', exchange.receive_amount]) {
      assert.ok(got.text?.includes(words) && got.html?.includes(words), words);
    }
    assert.ok(got.html?.includes(`href="http://localhost:4000/exchanges/${exchange.number}"`));
  });
});

describe('emails about later states', () => {
  it('report proof, review, approval and payout', async () => {
    const client = await member();
    const exchange = await submitted(client);
    const taken = await claim(admin, exchange);
    const approved = await approve(admin, taken);
    await complete(admin, approved);
    const messages = await emailsAbout(exchange.number);
    assert.deepEqual(
      messages.map(({ kind }) => kind),
      [
        'exchange-created',
        'exchange-proof-received',
        'exchange-under-review',
        'exchange-approved',
        'exchange-completed',
      ],
    );
    assert.match(messages[1]?.content.paragraphs[0] ?? '', /^Your proof is here\./);
    assert.ok(messages[4]?.content.facts?.some(({ value }) => value.startsWith('PAYOUT-')));
  });

  it('report the first review only', async () => {
    const exchange = await submitted(await member());
    const first = await claim(admin, exchange);
    const renewed = await claim(admin, first);
    const path = deskPath(exchange.number, '/claim');
    const released = await admin.delete(path, undefined, { query: { version: renewed.version } });
    assert.equal(released.status, 200, released.text);
    await claim(admin, released.body.data);
    const all = await kinds(exchange);
    assert.equal(all.filter((kind) => kind === 'exchange-under-review').length, 1);
  });

  it('report a rejection with its reason', async () => {
    const taken = await claim(admin, await submitted(await member()));
    const reason = 'No payment with this reference has arrived.';
    const path = deskPath(taken.number, '/rejection');
    const body = { version: taken.version, reason };
    const rejected = await admin.post(path, body, { key: true });
    assert.equal(rejected.status, 200, rejected.text);
    const message = (await emailsAbout(taken.number)).at(-1);
    assert.equal(message?.kind, 'exchange-rejected');
    assert.ok(message?.content.paragraphs.includes(reason));
  });

  it('mention no payout where there is none', async () => {
    const client = await member();
    const taken = await claim(admin, await submitted(client));
    const body = { version: taken.version, reason: 'No payment has arrived.' };
    await admin.post(deskPath(taken.number, '/rejection'), body, { key: true });
    const cancelled = await create(client);
    await cancel(client, cancelled);
    const expired = await create(client);
    await passPayBy(api, expired.number);
    await endOverdue(await openContext(api.deps));
    for (const { number, send_amount, receive_amount } of [taken, cancelled, expired]) {
      const message = (await emailsAbout(number)).at(-1);
      assert.match(message?.kind ?? '', /rejected|cancelled|expired/);
      assert.deepEqual(message?.content.facts, [
        { label: 'Exchange', value: number },
        { label: 'You were to send', value: `${send_amount} USD` },
        { label: 'You would have received', value: `${receive_amount} EUR` },
      ]);
    }
  });

  it('report a cancellation, an undone submission and another proof', async () => {
    const client = await member();
    const cancelled = await create(client);
    await cancel(client, cancelled);
    assert.deepEqual(await kinds(cancelled), ['exchange-created', 'exchange-cancelled']);

    const exchange = await submitted(client);
    await upload(client, exchange.number);
    const path = `/api/exchanges/${exchange.number}/submission`;
    const query = { version: exchange.version };
    const undone = await client.delete(path, undefined, { query, key: true });
    assert.equal(undone.status, 200, undone.text);
    await submit(client, undone.body.data);
    assert.deepEqual(await kinds(exchange), [
      'exchange-created',
      'exchange-proof-received',
      'exchange-proof-received',
      'exchange-taken-back',
      'exchange-proof-received',
    ]);
  });

  it('report an expiry and an automatic submission', async () => {
    const client = await member();
    const unpaid = await create(client);
    const proven = await create(client);
    await upload(client, proven.number);
    for (const { number } of [unpaid, proven]) await passPayBy(api, number);
    await endOverdue(await openContext(api.deps));
    assert.deepEqual(await kinds(unpaid), ['exchange-created', 'exchange-expired']);
    assert.deepEqual(await kinds(proven), ['exchange-created', 'exchange-proof-received']);
  });

  it('report an approval with completion once', async () => {
    await api.deps.sql`update pairs set complete_on_approval = true`;
    const taken = await claim(admin, await submitted(await member()));
    await api.deps.sql`update pairs set complete_on_approval = false`;
    const body = {
      version: taken.version,
      received_amount: taken.send_amount,
      payout_reference: 'PAYOUT-2',
    };
    const done = await admin.post(deskPath(taken.number, '/approval'), body, { key: true });
    assert.equal(done.status, 200, done.text);
    assert.deepEqual((await kinds(taken)).slice(-2), [
      'exchange-under-review',
      'exchange-completed',
    ]);
  });

  it('report an approval with completion of another amount with both', async () => {
    await api.deps.sql`update pairs set complete_on_approval = true`;
    const taken = await claim(admin, await submitted(await member()));
    await api.deps.sql`update pairs set complete_on_approval = false`;
    const body = {
      version: taken.version,
      received_amount: '99.00',
      difference: 'recalculate_locked',
      payout_reference: 'PAYOUT-3',
    };
    const done = await admin.post(deskPath(taken.number, '/approval'), body, { key: true });
    assert.equal(done.status, 200, done.text);
    const [email] = await api.deps.sql`
      select data from emails where kind = 'exchange-completed'
        and data::text like ${`%${taken.number}%`}`;
    const { paragraphs } = (email as Json)['data'].content;
    assert.ok(
      paragraphs.some((text: string) =>
        /^For 99\.00 USD .* It was .* for 100\.00 USD\.$/.test(text),
      ),
      JSON.stringify(paragraphs),
    );
  });
});
