/** The read-only status link: its content, its secrecy and its end. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { statusLinkDays } from '@cambist/contract/status-link';
import { DAY } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { signedId } from '#platform/security/signed-id.ts';
import type { Client, Json } from '#test/client.ts';
import {
  IBAN,
  approve,
  cancel,
  claim,
  complete,
  create,
  deskPath,
  openDesk,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { startSmtp } from '#test/fakes/smtp.ts';

const { api, admin } = await startTestDesk({ after });

async function linkOf(client: Client, { number }: Json): Promise<string> {
  const answer = await client.get(`/api/exchanges/${number}/status-link`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.url;
}
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const open = (token: string) => api.client().get(`/api/public/exchanges/${token}`);

describe('GET /api/exchanges/{number}/status-link', () => {
  it('answers 200 with the same unguessable link each time', async () => {
    const { client } = await api.asMember();
    const [one, other] = [await create(client), await create(client)];
    const url = await linkOf(client, one);
    assert.match(url, /^http:\/\/localhost:4000\/status\/[\w-]{44}$/);
    assert.equal(await linkOf(client, one), url);
    assert.notEqual(await linkOf(client, other), url);
  });

  it('answers 401 to guests and 404 to other customers', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    const path = `/api/exchanges/${exchange.number}/status-link`;
    assert.equal((await api.client().get(path)).status, 401);
    assert.equal((await (await api.asMember()).client.get(path)).status, 404);
    assert.equal((await admin.get(path)).status, 404);
  });
});

describe('GET /api/public/exchanges/{token}', () => {
  it('answers 200 with the status, without cookies and uncached', async () => {
    const { client } = await api.asMember({ name: 'Zoë Marlow' });
    const exchange = await submitted(client);
    const token = tokenOf(await linkOf(client, exchange));
    const answer = await open(token);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['set-cookie'], undefined);
    const { number, pair, send_amount, receive_amount, rate } = exchange;
    const { data } = answer.body;
    assert.deepEqual(
      [data.number, data.pair, data.state, data.send_amount, data.receive_amount, data.rate],
      [number, pair, 'payment_submitted', send_amount, receive_amount, rate],
    );
    assert.deepEqual(
      data.timeline.map(({ action }: Json) => action),
      ['create', 'upload_proof', 'submit'],
    );
    await complete(admin, await approve(admin, await claim(admin, exchange)));
    assert.equal((await open(token)).body.data.state, 'completed');
  });

  it('has no personal data, accounts or free text', async () => {
    const { client, user } = await api.asMember({ name: 'Zoë Marlow' });
    const taken = await claim(admin, await submitted(client));
    const reason = 'The name of the payer is Pat Novak.';
    const path = deskPath(taken.number, '/rejection');
    const body = { version: taken.version, reason };
    const rejected = await admin.post(path, body, { key: true });
    assert.equal(rejected.status, 200, rejected.text);
    const url = await linkOf(client, taken);
    const answer = await open(tokenOf(url));
    assert.equal(answer.body.data.state, 'rejected');
    const payee = 'GB29 NWBK 6016 1331 9268 19';
    for (const words of ['Marlow', 'Novak', user.email, user.id, IBAN, payee, 'receipt', url])
      assert.ok(!answer.text.includes(words), words);
    assert.deepEqual(Object.keys(answer.body.data).toSorted(), [
      'created_at',
      'number',
      'pair',
      'pay_by',
      'rate',
      'receive',
      'receive_amount',
      'send',
      'send_amount',
      'state',
      'state_changed_at',
      'timeline',
    ]);
    assert.deepEqual(Object.keys(answer.body.data.timeline[0]), ['action', 'to_state', 'at']);
  });

  it('answers the same 404 to a token of another purpose, a changed one and nonsense', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    const token = tokenOf(await linkOf(client, exchange));
    const { id } = await api.db
      .selectFrom('exchanges')
      .select('id')
      .where('number', '=', exchange.number)
      .executeTakeFirstOrThrow();
    const changed = (at: number) =>
      token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    // The last character of the id has four unused bits, which make no second token.
    const twin = token.slice(0, 21) + nextCharacter(token[21] ?? '') + token.slice(22);
    const wrong = [
      changed(0),
      changed(21),
      changed(22),
      changed(43),
      twin,
      signedId(api.deps.keys, 'another purpose', id),
      signedId(api.deps.keys, 'exchange status', newId()),
      exchange.number,
      id,
      'x',
      `${token}A`,
      token.slice(0, -1),
      'x'.repeat(2000),
      '%00',
      '%F0%9F%92%B6',
    ];
    for (const each of wrong) {
      const { status, body } = await open(each);
      assert.deepEqual([status, body], [404, { message: 'Not found.', code: 'not_found' }], each);
    }
    assert.equal((await open(token)).status, 200);
  });

  it('answers 404 some days after the end, and once the account is deleted', async () => {
    const { client } = await api.asMember();
    const [recent, old] = [await create(client), await create(client)];
    const cancelled = await cancel(client, old);
    const tokens = [
      tokenOf(await linkOf(client, recent)),
      tokenOf(await linkOf(client, cancelled)),
    ] as const;
    const changed = async (daysAgo: number) => {
      const state_changed_at = new Date(Date.now() - daysAgo * DAY);
      await api.db
        .updateTable('exchanges')
        .set({ state_changed_at })
        .where('number', 'in', [recent.number, old.number])
        .execute();
    };
    await changed(statusLinkDays - 1);
    assert.equal((await open(tokens[1])).status, 200);
    await changed(statusLinkDays + 1);
    assert.equal((await open(tokens[1])).status, 404);
    // The link of an open exchange never expires.
    assert.equal((await open(tokens[0])).status, 200);

    await cancel(client, recent);
    assert.equal((await open(tokens[0])).status, 200);
    assert.equal((await client.leave()).status, 204);
    assert.equal((await open(tokens[0])).status, 404);
  });
});

describe('the status link of an email', () => {
  it('works, is in no row, and is sent with the email', async (t) => {
    const smtp = await startSmtp(t);
    const there = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
    const { client: desk } = await there.asAdmin();
    await openDesk(desk);
    const { client } = await there.asMember();
    const exchange = await create(client);
    const url = await linkOf(client, exchange);
    const got = await smtp.next((each) => each.subject?.includes(exchange.number) ?? false);
    assert.ok(got.text?.includes(url) && got.html?.includes(`href="${url}"`), 'no link');
    const rows = await there.deps.sql`select to_jsonb(l)::text as text from emails l
      union all select to_jsonb(k)::text from idempotency_keys k
      union all select to_jsonb(e)::text from exchanges e`;
    assert.ok(rows.length >= 3);
    for (const { text } of rows) assert.ok(!String(text).includes(tokenOf(url)), String(text));
  });
});

/** The base64url character that differs in the last bit. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const at = alphabet.indexOf(character);
  return alphabet[at ^ 1] ?? '';
}
