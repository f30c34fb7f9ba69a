import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import { cancel, create, startTestDesk } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const { api, admin } = await startTestDesk({ after });
await addCurrency(admin, 'gbp', { position: 3 });
const { client: member } = await api.asMember();

describe('GET /api/exchanges', () => {
  it('pages and filters by state and day, for the owner only', async () => {
    const { client } = await api.asMember();
    const made = [await create(client), await create(client), await create(client)];
    await cancel(client, made[0]);
    await api.db
      .updateTable('exchanges')
      .set({ created_at: new Date('2026-01-31T23:59:59Z') })
      .where('number', '=', made[1].number)
      .execute();

    const numbers = async (query: Record<string, string | number>) =>
      (await client.get('/api/exchanges', { query })).body.data.map(({ number }: Json) => number);
    assert.deepEqual(await numbers({}), [made[2].number, made[0].number, made[1].number]);
    assert.deepEqual(await numbers({ state: 'closed' }), [made[0].number]);
    assert.deepEqual(await numbers({ state: 'done' }), []);
    assert.deepEqual(await numbers({ from: '2026-01-31', to: '2026-01-31' }), [made[1].number]);
    assert.deepEqual(await numbers({ to: '2026-01-30' }), []);

    const page = (
      await client.get('/api/exchanges', { query: { page: 2, per_page: 2, state: 'open' } })
    ).body;
    assert.deepEqual(
      [page.data.length, page.meta.total, page.meta.last_page, page.links.next],
      [0, 2, 1, null],
    );
    const first = (await client.get('/api/exchanges', { query: { per_page: 2 } })).body;
    assert.match(first.links.next, /\/api\/exchanges\?page=2&per_page=2$/);
    const after = { per_page: 2, cursor: first.meta.next_cursor };
    const rest = (await client.get('/api/exchanges', { query: after })).body;
    assert.deepEqual(
      rest.data.map(({ number }: Json) => number),
      [made[1].number],
    );
    assert.deepEqual([rest.meta.next_cursor, rest.meta.total], [null, 3]);
    assert.equal((await client.get('/api/exchanges', { query: { cursor: 'x' } })).status, 422);
    assert.equal((await client.get('/api/exchanges', { query: { per_page: 101 } })).status, 422);
    assert.equal(
      (await client.get('/api/exchanges', { query: { from: '2026-02-30' } })).status,
      422,
    );
    assert.deepEqual((await member.get('/api/exchanges')).body.data, []);
  });

  it('refuses days that do not exist', async () => {
    for (const url of ['/api/exchanges', '/api/exchanges.csv'])
      for (const query of [{ from: '0000-01-01' }, { to: '0000-01-01' }, { to: '9999-12-31' }])
        assert.equal((await member.get(url, { query })).status, 422, JSON.stringify(query));
    assert.equal((await member.get('/api/exchanges', { query: { to: '2999-12-31' } })).status, 200);
  });
});

describe('GET /api/exchanges.csv', () => {
  it('has the same exchanges as CSV', async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    const answer = await client.get('/api/exchanges.csv');
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['content-type']), /^text\/csv/);
    assert.match(
      String(answer.headers['content-disposition']),
      /attachment; filename="exchanges\.csv"/,
    );
    const [head, line, end] = answer.text.split('\r\n');
    assert.ok(head?.startsWith('number,created_at,state,send_amount'));
    assert.ok(
      line?.startsWith(`${number},`) && line.includes(',awaiting_payment,100.00,USD,91.08,EUR,'),
    );
    assert.equal(end, '');
    assert.equal(
      (await client.get('/api/exchanges.csv', { query: { state: 'done' } })).text.split('\r\n')
        .length,
      2,
    );
  });

  it('redirects a browser (302) that is signed out or throttled, and answers others with JSON', async () => {
    const strict = await startTestApi({ after }, { env: { THROTTLE_SCALE: '0.02' } });
    const { client } = await strict.asMember();
    const link = { headers: { accept: 'text/html' } };
    const guest = await strict.client().get('/api/exchanges.csv', link);
    assert.match(
      String(guest.headers['location']),
      /\/signin\?next=\/exchanges&notice=signed-out$/,
    );
    let last = await client.get('/api/exchanges.csv', link);
    for (let n = 0; n < 20 && last.status === 200; n += 1)
      last = await client.get('/api/exchanges.csv', link);
    assert.match(String(last.headers['location']), /\/exchanges\?trouble=too_many$/);
    assert.deepEqual([guest.status, last.status, last.text], [302, 302, '']);
    assert.equal((await client.get('/api/exchanges.csv')).status, 429);
    assert.equal((await strict.client().get('/api/exchanges.csv')).status, 401);
  });

  it('never has a formula in a cell', async () => {
    const { csvLine } = await import('#kernel/csv.ts');
    assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx']), "'=1+1,'+1,'-1,'@x,'\tx\r\n");
    assert.equal(csvLine(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n');
  });
});

describe('GET /api/public/latest-exchanges', () => {
  it('has exchanges after their approval, with initials only', async () => {
    const answer = await api.client().get('/api/public/latest-exchanges');
    assert.deepEqual([answer.status, answer.body], [200, { data: [] }]);
    const { initials } = await import('./customer-reads.ts');
    assert.deepEqual(
      ['Alex Marlow', 'Ana María de la Cruz', 'Cher', '  ', 'éva kovács-nagy', '李 雷'].map(
        initials,
      ),
      ['A. M.', 'A. C.', 'C.', '–', 'É. N.', '李. 雷.'],
    );
  });
});
