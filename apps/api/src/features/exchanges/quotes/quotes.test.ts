import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { createBody, quote, startTestDesk } from '#test/factories/exchange.ts';
import { signQuote, readQuote } from './quote-token.ts';

const { api, admin } = await startTestDesk({ after });
const guest = api.client();
const ask = (body: object) =>
  guest.post('/api/public/quotes', { pair: 'usd-to-eur', side: 'send', amount: '100', ...body });

describe('POST /api/public/quotes', () => {
  it('prices a send amount for a guest without a CSRF token and without a hold', async () => {
    const answer = await ask({});
    assert.equal(answer.status, 200, answer.text);
    const { token, expires_at, send, ...price } = answer.body.data;
    assert.equal(send.unit, 'USD');
    assert.deepEqual(
      [
        price.send_amount,
        price.send_fee,
        price.exchanged_amount,
        price.rate,
        price.gross_amount,
        price.receive_amount,
      ],
      ['100.00', '0.00', '100.00', '0.9108', '91.08', '91.08'],
    );
    assert.deepEqual(
      [price.mid_rate, price.margin_percent, price.mid_source],
      ['0.92', '1', 'manual'],
    );
    const minutes = (Date.parse(expires_at) - Date.now()) / MINUTE;
    assert.ok(minutes > 14.5 && minutes <= 15.1, `${minutes}`);
    assert.ok(token.length < 1000, 'a token rides in request bodies and stays short');
    const held = await api.db
      .selectFrom('ledger_accounts')
      .select('balance')
      .where('kind', '=', 'held')
      .execute();
    assert.ok(held.every(({ balance }) => balance === 0n));
  });

  it('finds the least send amount for a receive amount', async () => {
    const { body } = await ask({ side: 'receive', amount: '91.08' });
    assert.equal(body.data.send_amount, '100.00');
    assert.equal(body.data.receive_amount, '91.08');
  });

  it('names the limit that an amount breaks', async () => {
    for (const [side, amount, message] of [
      ['send', '9.99', 'You must send at least 10.00 USD.'],
      ['send', '5000.01', 'You can send at most 5000.00 USD at a time.'],
      ['receive', '9000', 'You can send at most 5000.00 USD at a time.'],
      ['send', '10.005', 'The amount must have at most 2 decimals.'],
      ['send', '0', 'The amount is too small: nothing would be paid out.'],
    ]) {
      const answer = await ask({ side, amount });
      assert.equal(answer.status, 422, `${side} ${amount}`);
      assert.deepEqual(answer.body.errors, { amount: [message] });
    }
  });

  it('refuses a pair that does not exist, and one that is switched off', async () => {
    const unknown = await ask({ pair: 'usd-to-moon' });
    assert.equal(unknown.status, 422);
    assert.deepEqual(unknown.body.errors, { pair: ['The selected pair is invalid.'] });
    await addCurrency(admin, 'gbp');
    await addPair(admin, 'usd', 'gbp', { active: false });
    const paused = await ask({ pair: 'usd-to-gbp' });
    assert.equal(paused.status, 409);
    assert.equal(paused.body.code, 'pair_unavailable');
  });

  it('binds a signed-in user’s quote to that user', async () => {
    const { client: owner } = await api.asMember();
    const { client: other } = await api.asMember();
    const { token } = await quote(owner);
    const stolen = await other.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(stolen.status, 409);
    assert.equal(stolen.body.code, 'quote_invalid');
    const redeemed = await owner.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(redeemed.status, 201, redeemed.text);
  });

  it('ignores the cookies of a request from another origin', async () => {
    const { client: owner } = await api.asMember();
    const cookie = [...owner.jar].map((pair) => pair.join('=')).join('; ');
    const answer = await api
      .client()
      .post(
        '/api/public/quotes',
        { pair: 'usd-to-eur', side: 'send', amount: '100' },
        { headers: { origin: 'https://evil.test', cookie } },
      );
    assert.equal(readQuote(api.deps.keys, answer.body.data.token).user_id, null);
  });
});

describe('a quote token', () => {
  const price = {
    quote_id: '01890000-0000-7000-8000-000000000001',
    pair_id: '01890000-0000-7000-8000-000000000002',
    pair_version: 3,
    side: 'receive',
    send_minor: 10n ** 42n,
    send_fee_minor: 1n,
    rate: '0.000000000000000001',
    rate_digits: 18,
    gross_minor: 10n ** 41n,
    receive_fee_minor: 0n,
    payout_minor: 10n ** 41n,
    mid_rate: null,
    mid_source: null,
    mid_as_of: null,
    mid_value_minor: null,
    margin_percent: '-0.500000',
    margin_absolute: '0.000000000000000001',
    fee_terms: {
      send: { fixed: '0', percent: '0', min: null, max: null },
      receive: { fixed: '0', percent: '0', min: null, max: null },
      step: '1',
    },
    expires_at: new Date('2026-11-21T00:15:00.123Z'),
    user_id: null,
  } as const;

  it('preserves every figure with every digit', () => {
    assert.deepEqual(readQuote(api.deps.keys, signQuote(api.deps.keys, price)), price);
  });

  it('is invalid when any character was changed', () => {
    const token = signQuote(api.deps.keys, price);
    for (const place of [0, 20, token.indexOf('.') - 1, token.length - 1]) {
      const character = token[place] === 'A' ? 'B' : 'A';
      const forged = token.slice(0, place) + character + token.slice(place + 1);
      // The last character of the signature has two unused bits.
      assert.throws(() => readQuote(api.deps.keys, forged), { code: 'quote_invalid' }, `${place}`);
    }
    for (const nonsense of ['', '.', 'a.b', `${token}.x`, `x${token}`]) {
      assert.throws(() => readQuote(api.deps.keys, nonsense), { code: 'quote_invalid' }, nonsense);
    }
  });
});
