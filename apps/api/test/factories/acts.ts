/** Acts of operators and customers on an exchange, with its version, and what must hold after each. */
import assert from 'node:assert/strict';
import { bySystem } from '#kernel/actor.ts';
import { settingDefaults } from '#features/content/settings/defaults.ts';
import { write } from '#features/content/settings/writing.ts';
import type { Answer, Client, Json } from '#test/client.ts';
import { deskPath } from '#test/factories/exchange.ts';
import type { TestApi } from '#test/harness.ts';

/** An operator's `POST` to a part of the exchange. */
export function act(
  admin: Client,
  { number, version }: Json,
  part: string,
  body: object = {},
): Promise<Answer> {
  return admin.post(deskPath(number, part), { version, ...body }, { key: true });
}

/** The exchange that an act answered with. */
export async function done(answer: Promise<Answer> | Answer): Promise<Json> {
  const { status, body, text } = await answer;
  assert.ok(status === 200 || status === 201, `${status} ${text}`);
  return body.data;
}

/** Refused with 409 and this code. */
export async function refused(answer: Promise<Answer> | Answer, code: string): Promise<Json> {
  const { status, body, text } = await answer;
  assert.deepEqual([status, body.code], [409, code], text);
  return body;
}

export const receive = (admin: Client, exchange: Json, amount: string, more: object = {}) =>
  done(act(admin, exchange, '/receipts', { amount, ...more }));

/** The exchange as the desk sees it now. */
export async function seen(admin: Client, { number }: Json): Promise<Json> {
  return done(admin.get(deskPath(number)));
}

/** The exchange as its customer sees it now. */
export async function own(client: Client, { number }: Json): Promise<Json> {
  return done(client.get(`/api/exchanges/${number}`));
}

/** The books agree with the exchanges. */
export async function balanced(admin: Client): Promise<void> {
  const { body } = await admin.get('/api/admin/reserves/reconciliation');
  assert.deepEqual(body.data.differences, []);
}

/** Replaces settings of the group `desk`; others have their defaults. */
export async function setDesk(
  api: TestApi,
  changes: Partial<typeof settingDefaults.desk>,
): Promise<void> {
  const [row] = await api.deps.sql<{ version: number }[]>`
    select version from settings where slug = 'desk'`;
  const value = { ...settingDefaults.desk, ...changes };
  await write(api.deps, bySystem, 'desk', { version: row?.version ?? 0, value });
}
