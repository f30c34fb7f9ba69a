import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '#test/client.ts';
import { act, balanced, done, own, receive, refused, seen } from '#test/factories/acts.ts';
import { emailsTo } from '#test/factories/emails.ts';
import {
  approve,
  claim,
  claimed,
  startTestDesk,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { openContext } from '../context.ts';
import { endOverdue } from './end-unpaid.ts';

const { api, admin } = await startTestDesk({ after });
const { client: other } = await api.asAdmin();
const question = { text: 'Who is the payer?', wants: 'answer' };

const answer = (client: Client, { number, version }: Json, text?: string) =>
  client.post(
    `/api/exchanges/${number}/answers`,
    { version, ...(text === undefined ? {} : { text }) },
    { key: true },
  );

async function asked() {
  const { client, exchange } = await claimed(api, admin);
  return { client, exchange: await done(act(admin, exchange, '/question', question)) };
}

describe('POST /api/admin/exchanges/{number}/question', () => {
  it('puts the exchange on hold, keeps the claim, and emails the customer what is asked', async () => {
    const { client, exchange } = await asked();
    assert.deepEqual([exchange.state, exchange.claim.mine], ['on_hold', true]);
    const shown = await own(client, exchange);
    assert.deepEqual(
      [shown.question.text, shown.question.wants, shown.question.overdue],
      ['Who is the payer?', 'answer', false],
    );
    assert.ok(shown.allowed.includes('answer'));
    const { body } = await other.get('/api/admin/exchanges?queue=on_hold');
    assert.deepEqual([body.data[0].number], [exchange.number]);
    const [email] = await api.deps.sql<{ data: Json }[]>`
      select data from emails where kind = 'exchange-question' order by id desc limit 1`;
    assert.match(JSON.stringify(email?.data), /Who is the payer\?/);
  });

  it('that wants a payment tells what is missing and where to pay it', async () => {
    const { client, exchange } = await claimed(api, admin, '50');
    const part = await receive(admin, exchange, '30');
    const body = { text: 'The rest, please.', wants: 'payment' };
    const held = await done(act(admin, part, '/question', body));
    assert.equal((await own(client, held)).missing_amount, '20.00');
    const factsOf = async () => {
      const email = (await emailsTo(api, held.customer.email)).at(-1);
      assert.ok(email);
      const { facts } = (email.data as Json).content;
      return facts.map(({ label, value }: Json) => `${label}: ${value}`);
    };
    assert.deepEqual(await factsOf(), [
      `Exchange: ${held.number}`,
      'Pay: 20.00 USD',
      'To: Desk account',
      'IBAN: GB29 NWBK 6016 1331 9268 19',
      `Reference: ${held.number}`,
    ]);
    const paid = await receive(admin, held, '20');
    await done(act(admin, await claim(admin, paid), '/question', body));
    assert.ok((await factsOf()).every((fact: string) => !/IBAN|Pay/.test(fact)));
  });

  it('can be asked without a claim, but not where another operator holds it', async () => {
    const { client } = await api.asMember();
    const exchange = await done(act(admin, await submitted(client), '/question', question));
    assert.deepEqual([exchange.state, exchange.claim.mine], ['on_hold', true]);
    const review = await claim(admin, await submitted(client));
    await refused(act(other, review, '/question', question), 'already_claimed');
  });

  it('is withdrawn by a claim, and the exchange is reviewed again', async () => {
    const { client, exchange } = await asked();
    await refused(act(other, exchange, '/claim'), 'already_claimed');
    const review = await claim(admin, exchange);
    assert.deepEqual([review.state, review.question], ['under_review', null]);
    await refused(answer(client, review, 'Me'), 'state_conflict');
    await approve(admin, review);
    await balanced(admin);
  });
});

describe('POST /api/exchanges/{number}/answers', () => {
  it('needs words or a new proof, and brings the exchange back to who asked', async () => {
    const { client, exchange } = await asked();
    assert.equal((await answer(client, exchange)).status, 422);
    const back = await done(answer(client, exchange, 'My own account.'));
    assert.deepEqual([back.state, back.question], ['payment_submitted', null]);
    const shown = await seen(admin, back);
    assert.equal(shown.claim.mine, true);
    assert.equal(shown.timeline.at(-1).reason, 'My own account.');
    await refused(act(other, shown, '/claim'), 'already_claimed');
    const undo = `/api/exchanges/${back.number}/submission?version=${back.version}`;
    await refused(client.delete(undo, undefined, { key: true }), 'undo_window_closed');
    await claim(admin, shown);
  });

  it('accepts a proof that was uploaded since', async () => {
    const { client, exchange } = await asked();
    await upload(client, exchange.number);
    assert.equal((await done(answer(client, exchange))).state, 'payment_submitted');
  });

  it('is for the customer alone', async () => {
    const { exchange } = await asked();
    const { client } = await api.asMember();
    assert.equal((await answer(client, exchange, 'x')).status, 404);
  });
});

describe('a question past its deadline', () => {
  it('returns the exchange to the queue for everyone, marked overdue', async () => {
    const { client, exchange } = await asked();
    await api.deps.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update exchange_questions set answer_by = now()
        where exchange_id = (select id from exchanges where number = ${exchange.number})`;
    });
    assert.equal((await endOverdue(await openContext(api.deps))).unanswered, 1);
    const shown = await own(client, exchange);
    assert.deepEqual([shown.state, shown.question.overdue], ['payment_submitted', true]);
    const review = await claim(other, shown);
    assert.equal(review.question.overdue, true);
    await refused(answer(client, review, 'Late'), 'state_conflict');
    assert.equal((await approve(other, review)).question, null);
  });
});
