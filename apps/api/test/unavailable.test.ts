/** A full disk, too few open files, a database that may only be read: 503 from every write, and reads go on. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildApp } from '#app/app.ts';
import { features } from '#app/features.ts';
import { MINUTE } from '#kernel/clock.ts';
import { Client, PASSWORD, type Answer } from './client.ts';
import { openTestConnection } from './database.ts';
import { eventually, untilServed } from './eventually.ts';
import {
  balances,
  create,
  createBody,
  picture,
  quote,
  startTestDesk,
} from './factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const direct = openTestConnection({ after }, api.databaseUrl);
const { client, user } = await api.asMember();
const exchange = await create(client);

/** Each is sent again unchanged, as the answer asks for. */
function writes(token: string) {
  const email = `${randomUUID()}@example.com`;
  const [key, otherKey] = [randomUUID(), randomUUID()];
  const person = { name: 'Alex Marlow', email, password: PASSWORD, terms_accepted: true };
  const adjustment = { direction: 'in', amount: '10', reason: 'Counted again' };
  const visitor = api.client();
  const settings = '/api/admin/settings/general';
  return {
    'an exchange': () => client.post('/api/exchanges', createBody(token), { key }),
    'an adjustment': () =>
      admin.post('/api/admin/reserves/eur/adjustments', adjustment, { key: otherKey }),
    'a sign-up': () => visitor.post('/api/auth/signup', person),
    async settings() {
      const { version, value } = (await admin.get(settings)).body.data;
      return admin.put(settings, { version, value });
    },
  } satisfies Record<string, () => Promise<Answer>>;
}

/** An export of a person's data is entered in the audit log, so it is a write. */
const AUDITED = '/api/user/export';
/** Every read whose path needs no name, asked by whom it is for; those that never end are left out. */
const READS = api.app.registered
  .filter(
    ({ methods, url, endpoint }) =>
      methods.includes('GET') &&
      endpoint !== null &&
      !endpoint.streams &&
      !url.includes(':') &&
      url !== AUDITED,
  )
  .map(({ url, endpoint }) => ({ url, browser: endpoint?.scope === 'admin' ? admin : client }));

/** What each read answers, by its path. */
async function statusOfReads(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const { url, browser } of READS) {
    statuses[url] = (await browser.get(url)).status;
  }
  return statuses;
}

async function assertAll(
  asks: Readonly<Record<string, () => Promise<Answer>>>,
  code: string,
  retryAfter: string,
): Promise<void> {
  for (const [name, ask] of Object.entries(asks)) {
    const { status, body, headers, text } = await ask();
    assert.deepEqual(
      [status, body?.code, headers['retry-after']],
      [503, code, retryAfter],
      `${name}: ${text}`,
    );
  }
}

async function assertAllDone(asks: Readonly<Record<string, () => Promise<Answer>>>) {
  for (const [name, ask] of Object.entries(asks)) {
    const { status, headers, text } = await untilServed(ask);
    assert.ok(status === 200 || status === 201, `${name}: ${text}`);
    assert.equal(headers['idempotency-replayed'], undefined, `${name} was not done before`);
  }
}

const exchanges = async () =>
  (await direct`select from exchanges where user_id = ${user.id}`).length;

/** Ends the application's sessions, since a default holds for new ones. */
async function setReadOnly(on: boolean): Promise<void> {
  await direct.unsafe(`do $$ begin
    execute format('set default_transaction_read_only = off;
      alter database %I set default_transaction_read_only = ${on ? 'on' : 'off'}', current_database());
  end $$`);
  await direct`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const wanted = on ? 'on' : 'off';
  await eventually('new sessions', async () => {
    const [row] = await api.deps.sql`show default_transaction_read_only`.catch(() => []);
    const served = await client.get('/api/public/blogs?q=rates');
    return row?.['default_transaction_read_only'] === wanted && served.status === 200;
  });
}

describe('a database that may only be read, as a standby', { timeout: 120_000 }, () => {
  it('is 503 from every write, and serves every read, also when a visit is due to be noted', async () => {
    const asks = writes((await quote(client)).token);
    const before = await balances(api);
    const reads = await statusOfReads();
    assert.equal(reads['/api/user'], 200);
    await setReadOnly(true);
    // Sessions note when they were last used; now they cannot.
    api.clock.advance(9 * MINUTE);
    assert.deepEqual(await statusOfReads(), reads);
    await assertAll(asks, 'service_unavailable', '5');
    api.clock.advance(-9 * MINUTE);
    assert.deepEqual(await balances(api), before);
    await setReadOnly(false);
    await assertAllDone(asks);
  });
});

describe('a database without room', { timeout: 120_000 }, () => {
  it('is 503 with a code of its own from every write, and nothing of it stays', async () => {
    const asks = writes((await quote(client)).token);
    const before = [await balances(api), await exchanges()];
    const reads = await statusOfReads();
    await direct`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file "base/1/2"' using errcode = '53100'; end $$`;
    const tables = ['users', 'exchanges', 'ledger_transactions', 'settings', 'sessions'];
    for (const table of tables) {
      await direct.unsafe(`create trigger no_room before insert or update on ${table}
        for each row execute function no_room()`);
    }
    api.clock.advance(10 * MINUTE);
    assert.deepEqual(await statusOfReads(), reads);
    api.clock.advance(-10 * MINUTE);
    await assertAll(asks, 'storage_full', '60');
    assert.deepEqual([await balances(api), await exchanges()], before);
    for (const table of tables) await direct.unsafe(`drop trigger no_room on ${table}`);
    await assertAllDone(asks);
  });

  for (const [state, code] of [
    ['53200', 'service_unavailable'],
    ['58030', 'service_unavailable'],
    ['08006', 'service_unavailable'],
    ['25P03', 'service_unavailable'],
    ['57P05', 'service_unavailable'],
  ] as const) {
    it(`is 503 ${code} where the server says ${state}`, async () => {
      await direct.unsafe(`create or replace function fails() returns trigger language plpgsql as $$
        begin raise exception 'not now' using errcode = '${state}'; end $$`);
      await direct`create trigger fails before insert on users for each row execute function fails()`;
      await assertAll({ 'a sign-up': writes('')['a sign-up'] }, code, '5');
      await direct`drop trigger fails on users`;
    });
  }
});

describe('a disk of the files', { timeout: 120_000 }, () => {
  for (const [error, status, code] of [
    ['ENOSPC', 503, 'storage_full'],
    ['EDQUOT', 503, 'storage_full'],
    ['EMFILE', 503, 'service_unavailable'],
    ['ENFILE', 503, 'service_unavailable'],
    ['EROFS', 500, 'server_error'],
    ['EACCES', 500, 'server_error'],
    ['EPERM', 500, 'server_error'],
  ] as const) {
    it(`is ${status} ${code} to a proof where the system says ${error}, without a path`, async (t) => {
      const receive = () =>
        Promise.reject(
          Object.assign(new Error(`${error}: /var/secret`), { code: error, path: '/var/secret' }),
        );
      const app = await buildApp({ ...api.deps, files: { ...api.deps.files, receive } }, features, {
        shedsLoad: false,
      });
      t.after(() => app.close());
      const browser = new Client(app, api.deps.config.frontendUrl);
      for (const [name, value] of client.jar) browser.jar.set(name, value);
      const file = { bytes: await picture(), name: 'receipt.jpg', type: 'image/jpeg' };
      const path = `/api/exchanges/${exchange.number}/proofs`;
      const answer = await browser.upload(path, 'proof', file);
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
      assert.equal(answer.headers['retry-after'] !== undefined, status === 503);
      assert.doesNotMatch(answer.text, /secret/);
    });
  }
});
