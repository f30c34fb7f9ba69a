import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Json } from '#test/client.ts';
import { create, startTestDesk } from '#test/factories/exchange.ts';
import { copyExchanges } from '#test/factories/many-exchanges.ts';
import { numberPrefix, selectCustomers } from './search.ts';

const { api, admin } = await startTestDesk({ after });

describe("the desk's search", () => {
  it('finds by the beginning of a number, by name, by address and by amount', async () => {
    const email = `${randomUUID()}@search.example`;
    const { client } = await api.asMember({ name: 'Zoë 100%_Quill', email });
    const { number } = await create(client, '123.45');
    const search = async (text: string) =>
      (
        await admin.get('/api/admin/exchanges', { query: { queue: 'all', search: text } })
      ).body.data.map((row: Json) => row.number);
    for (const text of [
      number,
      number.toLowerCase(),
      number.slice(3, 10),
      'quill',
      '100%_q',
      email.slice(0, 20),
      email.slice(0, 30),
      email,
      'QUIL zoë',
      '123.45',
      ' 112.43 ',
    ]) {
      assert.ok((await search(text)).includes(number), text);
    }
    for (const text of [
      '12345',
      '1.2345',
      '%',
      'uill',
      'zoë nobody',
      `x${email}`,
      "'; drop table users; --",
      "\\'",
    ]) {
      assert.ok(!(await search(text)).includes(number), text);
    }
    assert.deepEqual(
      ['cx-7f3k-9', '7f3k9', '7F3K92QD', 'CX', 'hello', '7f3k92qd0'].map(numberPrefix),
      ['CX-7F3K-9', 'CX-7F3K-9', 'CX-7F3K-92QD', 'CX-CX', null, null],
    );
  });

  it('finds a name with any spelling of hyphens, apostrophes and accents', async () => {
    const { user } = await api.asMember({
      name: 'Rene\u0301e O\u2019Tool\u2010Sa\u0308rk D\u2019Arc',
    });
    const finds = async (text: string) =>
      (await selectCustomers(api.db, text)?.execute())?.some(({ id }) => id === user.id) ?? false;
    for (const text of [
      'ren\u00e9e',
      'rene\u0301e',
      "o'tool",
      'o\u2019tool',
      'tool-s\u00e4rk',
      'S\u00c4RK'.toLowerCase(),
      'tool\u2011sa\u0308rk',
      'tool\u2013',
      "d'arc",
      'arc',
    ])
      assert.ok(await finds(text), text);
    for (const text of ['renee', 'ark', '\u1fef', '\u037e']) assert.ok(!(await finds(text)), text);
  });

  it('finds customers through an index', async () => {
    await sql`insert into users (id, name, email)
      select gen_random_uuid(), 'Person Number' || n, 'person.' || n || '@many.example'
      from generate_series(1, 20000) n`.execute(api.db);
    // New rows are in the pending list until the index is vacuumed.
    await sql`vacuum analyze users`.execute(api.db);
    for (const text of [
      'quill',
      'zoë quil',
      'number777',
      'person.777@many',
      'person.777@many.example',
    ]) {
      const plan = JSON.stringify(await selectCustomers(api.db, text)?.explain('json'));
      assert.ok(!plan.includes('Seq Scan'), `${text}: ${plan}`);
      assert.match(plan, /users_customer_words|users_email/);
    }
    const rows = await selectCustomers(api.db, 'person.777@many.example')?.execute();
    assert.equal(rows?.length, 1);
  });

  it('uses the newest customers where too many match, and says so; in a work queue and a CSV all', async () => {
    const { client: oldest } = await api.asMember({ name: 'Abundant Oldest' });
    const first = await create(oldest);
    await sql`update users set created_at = now() - interval '1 year' where name = 'Abundant Oldest'`.execute(
      api.db,
    );
    await sql`insert into users (id, name, email, created_at)
      select gen_random_uuid(), 'Abundant', 'abundant.' || n || '@many.example',
        now() - interval '1 day'
      from generate_series(1, 300) n`.execute(api.db);
    const { client } = await api.asMember({ name: 'Abundant Newest' });
    const { number } = await create(client);
    const search = async (text: string, queue = 'all') => {
      const { data, meta } = (
        await admin.get('/api/admin/exchanges', { query: { queue, search: text } })
      ).body;
      return { numbers: data.map((row: Json) => row.number), meta };
    };
    const many = await search('abund');
    assert.deepEqual([many.numbers, many.meta.search_cut], [[number], true]);
    const waiting = await search('abund', 'awaiting_payment');
    assert.deepEqual(waiting.numbers.toSorted(), [first.number, number].toSorted());
    assert.equal(waiting.meta.search_cut, false);
    const query = { queue: 'all', search: 'abund' };
    const { text: csv } = await admin.get('/api/admin/exchanges.csv', { query });
    assert.ok(csv.includes(first.number) && csv.includes(number), csv);
    assert.equal((await search('abund newest')).meta.search_cut, false);
    assert.equal((await admin.get('/api/admin/exchanges')).body.meta.search_cut, false);
  });

  it('looks at the newest of an amount among all exchanges, and at each in a work queue', async () => {
    const { client } = await api.asMember();
    // Not '77.77', whose parts may begin words of a random address.
    const { number } = await create(client, '457.39');
    await copyExchanges(
      api.db,
      number,
      250,
      "jsonb_build_object('state', case when n = 250 then 'awaiting_payment' else 'completed' end)",
    );
    const search = async (queue: string) => {
      const query = { queue, search: '457.39', per_page: 100 };
      const { data, meta } = (await admin.get('/api/admin/exchanges', { query })).body;
      return { numbers: data.map((row: Json) => row.number), ...meta };
    };
    const all = await search('all');
    assert.equal(all.numbers[0], number);
    assert.deepEqual([all.search_cut, all.total], [true, 201]);
    const open = await search('awaiting_payment');
    assert.equal(open.numbers.length, 2);
    assert.deepEqual([open.numbers.includes(number), open.search_cut], [true, false]);
  });

  it('lists once, and in the order of the list, what is found by a reference and by its customer', async () => {
    const { client } = await api.asMember({ name: 'Twofold' });
    const { number } = await create(client);
    await copyExchanges(
      api.db,
      number,
      60,
      "jsonb_build_object('payment_reference', case when n % 20 = 0 then 'TWOFOLD ' || n end, 'pay_by', e.pay_by + n * interval '1 minute')",
    );
    for (const queue of ['all', 'awaiting_payment']) {
      const numbers: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const query: Record<string, string> = {
          queue,
          search: 'twofold',
          ...(cursor && { cursor }),
        };
        const { data, meta } = (await admin.get('/api/admin/exchanges', { query })).body;
        if (cursor === '') assert.equal(meta.total, 61);
        numbers.push(...data.map((row: Json) => row.number));
        cursor = meta.next_cursor ?? undefined;
      }
      assert.equal(numbers[0], number);
      assert.equal(new Set(numbers).size, 61);
      assert.deepEqual(numbers.slice(1), numbers.slice(1).toSorted());
      assert.equal(numbers.length, 61);
    }
  });
});
