/** A small desk for tests, set up through the API. */
import assert from 'node:assert/strict';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createCurrency } from '@cambist/contract/currencies';
import type { createPair } from '@cambist/contract/pairs';
import type { SettingValue } from '@cambist/contract/settings';
import type { Answer, Client, Json } from './client.ts';

type CurrencyDraft = BodyOf<typeof createCurrency>;
type PairDraft = BodyOf<typeof createPair>;

/** A bank currency with one account to pay to and an IBAN asked for. */
export function currencyDraft(slug: string, changes: Partial<CurrencyDraft> = {}): CurrencyDraft {
  const code = slug.toUpperCase().replaceAll('-', '');
  return {
    slug,
    unit: code.slice(0, 12),
    name: `${code} account`,
    symbol: code.slice(0, 1),
    channel: 'Bank transfer',
    kind: 'bank',
    decimals: 2,
    export_code: code,
    min_send: null,
    max_send: null,
    min_receive: null,
    max_receive: null,
    sender_fields: [],
    payout_fields: [
      { key: 'holder', label: 'Account holder', check: 'name', required: true },
      { key: 'iban', label: 'IBAN', check: 'iban', required: true },
    ],
    payout_time: 'within an hour',
    payee_accounts: [
      {
        label: 'Desk account',
        details: [{ label: 'IBAN', value: 'GB29 NWBK 6016 1331 9268 19' }],
        instructions: 'Put the reference into the payment.',
        qr_template: null,
        active: true,
      },
    ],
    active: true,
    position: 0,
    ...changes,
  };
}

/** At a mid rate of 0.92, or the market's, with a margin of 1 %, no fees, from 10 to 5,000. */
export function pairDraft(
  send: string,
  receive: string,
  changes: Partial<PairDraft> = {},
): PairDraft {
  return {
    send,
    receive,
    ...(changes.rate_mode === undefined ? { mid_rate: '0.92' } : {}),
    margin_percent: '1',
    rate_digits: 4,
    send_fee: { fixed: '0', percent: '0' },
    receive_fee: { fixed: '0', percent: '0' },
    min_send: '10',
    max_send: '5000',
    day_max_send: null,
    month_max_send: null,
    lock_minutes: 15,
    pay_minutes: 60,
    evidence: 'proof',
    complete_on_approval: false,
    active: true,
    position: 0,
    ...changes,
  };
}

export async function addCurrency(
  admin: Client,
  slug: string,
  changes: Partial<CurrencyDraft> = {},
): Promise<Json> {
  const answer = await admin.post('/api/admin/currencies', currencyDraft(slug, changes));
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

export async function addPair(
  admin: Client,
  send: string,
  receive: string,
  changes: Partial<PairDraft> = {},
): Promise<Json> {
  const draft = pairDraft(send, receive, changes);
  const answer = await sayYes((yes) => admin.post('/api/admin/pairs', { ...draft, ...yes }));
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** Confirms a rate of a test, however far it moves. */
export async function sayYes(
  ask: (yes: { confirm_rate?: string }) => Promise<Answer>,
): Promise<Answer> {
  const answer = await ask({});
  const to = answer.body?.rate_change?.to;
  return to === undefined ? answer : ask({ confirm_rate: to });
}

/** Puts `amount` (major units) into a reserve, or takes it out. */
export async function stock(
  admin: Client,
  currency: string,
  amount: string,
  direction: 'in' | 'out' = 'in',
): Promise<Json> {
  const body = { direction, amount, reason: 'Opening reserve' };
  const answer = await admin.post(`/api/admin/reserves/${currency}/adjustments`, body, {
    key: true,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** Changes the settings of the desk. */
export async function setDesk(
  admin: Client,
  changes: Partial<SettingValue<'desk'>>,
): Promise<void> {
  const url = '/api/admin/settings/desk';
  const { version, value } = (await admin.get(url)).body.data;
  const answer = await admin.put(url, { version, value: { ...value, ...changes } });
  assert.equal(answer.status, 200, answer.text);
}
