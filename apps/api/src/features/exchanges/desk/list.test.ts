import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { exceptions } from '@cambist/contract/exchange-records';
import { DAY } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, setDesk } from '#test/desk.ts';
import {
  approve,
  claim,
  complete,
  create,
  deskPath,
  IBAN,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { copyExchanges } from '#test/factories/many-exchanges.ts';

const { api, admin, operator } = await startTestDesk({ after });
const { client: second, user: sam } = await api.asAdmin({ name: 'Sam Field' });
const PATH = '/api/admin/exchanges';

async function found(query: Record<string, string>): Promise<string[]> {
  const numbers: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = { queue: 'all', per_page: '100', ...query, ...(cursor === '' ? {} : { cursor }) };
    const { status, body, text } = await admin.get(PATH, { query: page });
    assert.equal(status, 200, text);
    numbers.push(...body.data.map(({ number }: Json) => number));
    cursor = body.meta.next_cursor;
  }
  return numbers;
}

describe('the filters of GET /api/admin/exchanges', () => {
  it('narrow by state, pair, operator and day, together and one by one', async () => {
    await addCurrency(admin, 'gbp', { position: 3 });
    await addPair(admin, 'gbp', 'eur');
    const { client } = await api.asMember();
    const open = await create(client);
    const other = await create(client, '50.00', 'gbp-to-eur');
    const paid = await complete(
      admin,
      await approve(second, await claim(second, await submitted(client))),
    );
    const claimedOnly = await claim(admin, await submitted(client));
    assert.equal(
      (await admin.delete(`${deskPath(claimedOnly.number)}/claim?version=${claimedOnly.version}`))
        .status,
      200,
    );
    assert.deepEqual(await found({ state: 'completed' }), [paid.number]);
    assert.deepEqual(await found({ pair: 'gbp-to-eur' }), [other.number]);
    assert.deepEqual(await found({ pair: 'no-such-pair' }), []);
    assert.deepEqual(await found({ operator: sam.id }), [paid.number]);
    assert.deepEqual(
      await found({ operator: operator.id }),
      [claimedOnly.number, paid.number],
      'who paid out, and who claimed it once',
    );
    assert.deepEqual(await found({ operator: operator.id, state: 'completed' }), [paid.number]);
    const today = open.created_at.slice(0, 10);
    const before = new Date(Date.parse(today) - DAY).toISOString().slice(0, 10);
    assert.ok((await found({ from: today, to: today })).includes(open.number));
    assert.deepEqual(await found({ to: before }), []);
    for (const wrong of ['state=lost', 'operator=me', 'from=2026-02-30', 'exception=odd', 'user=1'])
      assert.equal((await admin.get(`${PATH}?${wrong}`)).status, 422, wrong);
    const { meta } = (await admin.get(`${PATH}?queue=all&state=awaiting_payment&per_page=1`)).body;
    assert.equal(meta.total, 2);
    assert.equal((await admin.get(`${PATH}?queue=all`)).body.meta.total, null);
  });

  it('give the same exceptions as the rows show, whatever the records are', async () => {
    await setDesk(admin, { tolerance: [{ currency: 'usd', amount: '1.505' }] });
    const { number, created_at } = await create((await api.asMember()).client, '100.00');
    const pick = (of: string, at: number) =>
      `(array[${of}])[1 + ('x' || substr(md5(n || 'seed${at}'), 1, 6))::bit(24)::int % array_length(array[${of}], 1)]`;
    await copyExchanges(
      api.db,
      number,
      600,
      `jsonb_build_object(
        'state', ${pick("'awaiting_payment','under_review','on_hold','approved','completed','rejected','refund_pending','refunded'", 1)},
        'received_minor', ${pick('0, 1, 9849, 9850, 9851, 10000, 10149, 10150, 10151, 20000', 2)},
        'excess_minor', ${pick('0, 0, 0, 150, 151, 10000', 3)},
        'is_late', ${pick('false, false, true', 4)},
        'is_returned', ${pick('false, false, false, true', 5)})`,
    );
    const rows: Json[] = [];
    const days = { from: new Date(Date.parse(created_at) - DAY).toISOString().slice(0, 10) };
    for (let cursor = ''; rows.length < 601;) {
      const query = { queue: 'all', per_page: 100, ...days, ...(cursor && { cursor }) };
      const { data, meta } = (await admin.get(PATH, { query })).body;
      rows.push(...data);
      if (meta.next_cursor === null) break;
      cursor = meta.next_cursor;
    }
    for (const exception of exceptions) {
      const expected = rows.filter((row) => row.exception === exception).map((row) => row.number);
      assert.ok(expected.length > 20, exception);
      assert.deepEqual(await found({ ...days, exception }), expected, exception);
    }
  });
});

describe("the desk's search", () => {
  it('finds by references, transaction hash and accounts, in every spelling', async () => {
    const { client } = await api.asMember();
    const hash = '0xAb54c3f29d8e76b1a0ff12de45c0987654321fedcba9876543210abcdef01234';
    const exchange = await claim(admin, await submitted(client));
    await api.db
      .updateTable('exchanges')
      .set({ payment_reference: hash })
      .where('number', '=', exchange.number)
      .execute();
    const receipt = await admin.post(
      deskPath(exchange.number, '/receipts'),
      { version: exchange.version, amount: '100.00', reference: 'BANK_7%781' },
      { key: true },
    );
    assert.equal(receipt.status, 201, receipt.text);
    const refund = await admin.post(
      deskPath(exchange.number, '/refunds'),
      {
        version: receipt.body.data.version,
        reason: 'Not allowed',
        account: 'Ana Cruz, GB29 NWBK 6016 1331 9268 19',
      },
      { key: true },
    );
    assert.equal(refund.status, 201, refund.text);
    const { refunds, version } = refund.body.data;
    const paid = await admin.post(
      deskPath(exchange.number, `/refunds/${refunds[0].id}/payment`),
      { version, reference: 'REFUND-991' },
      { key: true },
    );
    assert.equal(paid.status, 200, paid.text);
    const done = await complete(
      admin,
      await approve(admin, await claim(admin, await submitted(client))),
    );
    for (const text of [
      hash,
      hash.slice(0, 12).toLowerCase(),
      'bank_7%7',
      'refund-99',
      'GB29NWBK60161331926819',
      'gb29 nwbk 6016',
      '6016-1331',
      'cruz',
    ])
      assert.deepEqual(await found({ search: text }), [exchange.number], text);
    assert.deepEqual(await found({ search: `payout-${done.number}` }), [done.number]);
    for (const text of [IBAN.toLowerCase(), 'DE89 3704 0044', 'de89-3704'])
      assert.ok((await found({ search: text })).includes(exchange.number), text);
    for (const text of ['ban', 'bank%', 'bank____', 'nwbk60161331926819x', '3704004405'])
      assert.deepEqual(await found({ search: text }), [], text);
  });
});

describe('GET /api/admin/exchanges.csv', () => {
  it('has what the filters find, with references, and no cell that a spreadsheet would run', async () => {
    const { client } = await api.asMember({ name: '=HYPERLINK("http://x.example")' });
    const done = await complete(
      admin,
      await approve(second, await claim(second, await submitted(client))),
    );
    await create(client);
    const { number } = await create((await api.asMember()).client);
    await copyExchanges(api.db, number, 1100, `jsonb_build_object('payment_reference', '+copy')`);
    const csv = (query: Record<string, string>) => admin.get(`${PATH}.csv`, { query });
    const { status, text, headers } = await csv({ queue: 'all', search: `PAYOUT-${done.number}` });
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [head = '', row = '', end] = text.split('\r\n');
    assert.equal(end, '');
    const cells = row
      .replace(/"((?:[^"]|"")*)"/g, (_, cell) => cell.replaceAll(',', ';'))
      .split(',');
    const of = (name: string) => cells[head.split(',').indexOf(name)];
    assert.deepEqual(
      [
        'number',
        'customer',
        'received_amount',
        'refunded_amount',
        'payout_references',
        'approved_by',
      ].map(of),
      [
        done.number,
        `'=HYPERLINK(""http://x.example"")`,
        '100.00',
        '0.00',
        `PAYOUT-${done.number}`,
        'Sam Field',
      ],
    );
    const many = (await csv({ queue: 'all', search: '+copy' })).text.split('\r\n').slice(1, -1);
    assert.equal(new Set(many.map((line) => line.slice(0, 12))).size, 1100, 'beyond one batch');
    assert.ok(many.every((line) => line.includes(",'+copy,")));
    assert.equal((await client.get(`${PATH}.csv`)).status, 403);
    const { client: writer } = await api.asAdmin({ permissions: ['content'] });
    assert.equal((await writer.get(`${PATH}.csv`)).status, 403);
    const log = (await admin.get('/api/admin/audit?action=exchange.list_exported')).body.data;
    assert.equal(log.length, 2);
  });
});
