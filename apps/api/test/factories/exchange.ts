/** Exchanges for tests, walked to a state as people would: through the API. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import type { Cleanup } from '#test/database.ts';
import { startTestApi, type TestApi, type TestOptions } from '#test/harness.ts';

export const IBAN = 'DE89370400440532013000';
export const PAYOUT_FIELDS = { holder: 'Alex Marlow', iban: IBAN };

/** USD → EUR with a stocked reserve; one US dollar is 0.9108 euros. */
export async function openDesk(admin: Client, changes: Parameters<typeof addPair>[3] = {}) {
  await addCurrency(admin, 'usd', { position: 1 });
  await addCurrency(admin, 'eur', { position: 2 });
  const pair = await addPair(admin, 'usd', 'eur', changes);
  await stock(admin, 'eur', '1000000');
  return pair;
}

/** The application with a desk that an admin, `operator` by name and id, has opened. */
export async function startTestDesk(
  t: Cleanup,
  changes?: Parameters<typeof openDesk>[1],
  options?: TestOptions,
) {
  const api = await startTestApi(t, options);
  const { client: admin, user: operator } = await api.asAdmin();
  await openDesk(admin, changes);
  return { api, admin, operator };
}

export async function quote(client: Client, amount = '100.00', pair = 'usd-to-eur'): Promise<Json> {
  const answer = await client.post('/api/public/quotes', { pair, side: 'send', amount });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export function createBody(token: string) {
  return { quote_token: token, payout_fields: PAYOUT_FIELDS, terms_accepted: true };
}

/** A new exchange, awaiting payment. */
export async function create(client: Client, amount?: string, pair?: string): Promise<Json> {
  const { token } = await quote(client, amount, pair);
  const answer = await client.post('/api/exchanges', createBody(token), { key: true });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** A small photograph with metadata; random, so that no two are the same file unless it is reused. */
export async function picture(): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  return sharp({ create: { width: 24, height: 16, channels: 3, background: { r, g, b } } })
    .withExif({
      IFD0: { Copyright: randomBytes(8).toString('hex'), ImageDescription: 'taken at home' },
    })
    .jpeg()
    .toBuffer();
}

export async function upload(client: Client, number: string, bytes?: Buffer): Promise<Json> {
  const file = { bytes: bytes ?? (await picture()), name: 'receipt.jpg', type: 'image/jpeg' };
  const answer = await client.upload(`/api/exchanges/${number}/proofs`, 'proof', file);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

export async function submit(client: Client, { number, version }: Json): Promise<Json> {
  const answer = await client.post(
    `/api/exchanges/${number}/submission`,
    { version },
    { key: true },
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** Submitted, with one proof. */
export async function submitted(client: Client, amount?: string, pair?: string): Promise<Json> {
  const exchange = await create(client, amount, pair);
  await upload(client, exchange.number);
  return submit(client, exchange);
}

export async function cancel(client: Client, { number, version }: Json): Promise<Json> {
  const answer = await client.post(
    `/api/exchanges/${number}/cancellation`,
    { version },
    { key: true },
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** Where the desk finds an exchange, or a part of it. */
export const deskPath = (number: string, rest = '') => `/api/admin/exchanges/${number}${rest}`;

/** A new customer's exchange, submitted and claimed by this admin. */
export async function claimed(
  api: TestApi,
  admin: Client,
  amount?: string,
): Promise<{ client: Client; exchange: Json }> {
  const { client } = await api.asMember();
  return { client, exchange: await claim(admin, await submitted(client, amount)) };
}

export async function claim(admin: Client, { number, version }: Json): Promise<Json> {
  const answer = await admin.post(`/api/admin/exchanges/${number}/claim`, { version });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function approve(
  admin: Client,
  { number, version, send_amount }: Json,
): Promise<Json> {
  const body = { version, received_amount: send_amount };
  const answer = await admin.post(`/api/admin/exchanges/${number}/approval`, body, { key: true });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function complete(admin: Client, { number, version }: Json): Promise<Json> {
  const body = { version, payout_reference: `PAYOUT-${number}` };
  const answer = await admin.post(`/api/admin/exchanges/${number}/completion`, body, { key: true });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** Every ledger account's balance in minor units, as `usd held`; accounts at zero are left out. */
export async function balances(api: TestApi): Promise<Record<string, bigint>> {
  const rows = await api.db
    .selectFrom('ledger_accounts as a')
    .innerJoin('currencies as c', 'c.id', 'a.currency_id')
    .select(['c.slug', 'a.kind', 'a.balance'])
    .where('a.balance', '<>', 0n)
    .execute();
  return Object.fromEntries(rows.map(({ slug, kind, balance }) => [`${slug} ${kind}`, balance]));
}

/** The pay-by time passes for this exchange. */
export async function passPayBy(api: TestApi, number: string): Promise<void> {
  await api.db
    .updateTable('exchanges')
    .set({ pay_by: new Date(Date.now() - 1000) })
    .where('number', '=', number)
    .execute();
}

export async function eventsOf(api: TestApi, number: string) {
  return api.db
    .selectFrom('exchange_events as v')
    .innerJoin('exchanges as e', 'e.id', 'v.exchange_id')
    .select(['v.action', 'v.from_state', 'v.to_state', 'v.actor_kind', 'v.reason'])
    .where('e.number', '=', number)
    .orderBy('v.id')
    .execute();
}

/** Names of the files that proofs have on the disk; none before the first one. */
export function proofFiles(api: TestApi): string[] {
  const folder = join(api.deps.config.dataDir, 'public/transaction-proofs');
  return existsSync(folder) ? readdirSync(folder) : [];
}
