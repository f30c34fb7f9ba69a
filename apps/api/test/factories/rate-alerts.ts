/** A desk whose rates tests move by hand. Without a margin, so that a customer's rate is the mid rate. */
import assert from 'node:assert/strict';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, addPair, sayYes } from '#test/desk.ts';
import type { TestApi } from '#test/harness.ts';

const ALERTS = '/api/rate-alerts';

export async function openAlertDesk(api: TestApi) {
  const { client: admin } = await api.asAdmin();
  for (const unit of ['usd', 'eur', 'gbp']) await addCurrency(admin, unit);
  await addPair(admin, 'usd', 'eur', { margin_percent: '0', mid_rate: '0.92' });
  await addPair(admin, 'usd', 'gbp', { margin_percent: '0', mid_rate: '0.78' });

  async function change(slug: string, changes: Json): Promise<void> {
    const url = `/api/admin/pairs/${slug}`;
    const { version } = (await admin.get(url)).body.data;
    const body = { version, ...changes };
    const answer = await sayYes((yes) => admin.patch(url, { ...body, ...yes }));
    assert.equal(answer.status, 200, answer.text);
  }

  async function setRate(rate: string, slug = 'usd-to-eur'): Promise<void> {
    const url = `/api/admin/pairs/${slug}`;
    const { version } = (await admin.get(url)).body.data;
    const body = { version, mid_rate: rate };
    const answer = await sayYes((yes) => admin.put(`${url}/rate`, { ...body, ...yes }));
    assert.equal(answer.status, 200, answer.text);
  }

  return { admin, change, setRate };
}

export function askFor(client: Client, changes: Json = {}) {
  return client.post(ALERTS, {
    pair: 'usd-to-eur',
    direction: 'at_least',
    target: '0.95',
    ...changes,
  });
}

export async function addAlert(client: Client, changes: Json = {}): Promise<Json> {
  const answer = await askFor(client, changes);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

export async function listOf(client: Client): Promise<Json[]> {
  const answer = await client.get(ALERTS);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
