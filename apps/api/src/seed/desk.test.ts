import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createCurrency } from '@cambist/contract/currencies';
import { createPair } from '@cambist/contract/pairs';
import { parseAmount } from '@cambist/money/amount';
import { quoteSend, pairTerms } from '@cambist/money/quote';
import { Value } from 'typebox/value';
import { newId } from '#kernel/id.ts';
import { settingDefaults } from '#features/content/settings/defaults.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { readAddress } from '#features/currencies/address.ts';
import { readIban } from '@cambist/contract/account-numbers';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { seedDesk } from './desk.ts';
import { demoCurrencies, demoPairs } from './files.ts';

const api = await startTestApi({ after });
const counts = await seedDesk(api.deps, newId());
const { body: converter } = await api.client().get('/api/public/currencies-converter');
const { body: showcase } = await api.client().get('/api/public/rates-showcase');

describe('the demo desk', () => {
  it('holds what an admin could have written through the API', () => {
    for (const { draft } of demoCurrencies()) {
      assert.deepEqual([...Value.Errors(createCurrency.body ?? {}, draft)], [], draft.slug);
    }
    for (const pair of demoPairs().pairs) {
      const draft = { ...pair, mid_rate: '1', position: 0 };
      assert.deepEqual([...Value.Errors(createPair.body ?? {}, draft)], [], pair.send);
    }
  });

  it('offers every pair and every currency to the public', () => {
    assert.equal(converter.data.pairs.length, counts.pairs);
    assert.equal(converter.data.currencies.length, counts.currencies);
    const decimals = new Set(converter.data.currencies.map(({ decimals: digits }: Json) => digits));
    assert.deepEqual(
      [...decimals].toSorted((a, b) => Number(a) - Number(b)),
      [0, 2, 3, 6, 8, 18],
    );
  });

  it('shows a week of rates that end at the present one, moving but not wildly', () => {
    for (const rate of showcase.data) {
      assert.equal(rate.sparkline.length, 28, rate.pair);
      assert.match(rate.change_24h, /^-?[0-9]\.[0-9]{2}$/, rate.pair);
    }
    const changes = new Set(showcase.data.map(({ change_24h }: Json) => change_24h));
    assert.ok(changes.size > 10);
    const { mid_rate } = converter.data.pairs[0];
    assert.equal(showcase.data[0].sparkline.at(-1), mid_rate);
  });

  it('can pay out the most that any pair allows', async () => {
    const reserves = new Map(
      (await ledger.reserves(api.db, settingDefaults.desk)).map(({ currency, available }) => [
        currency.slug,
        { currency, available },
      ]),
    );
    for (const pair of converter.data.pairs) {
      const [send, receive] = [reserves.get(pair.send), reserves.get(pair.receive)];
      assert.ok(send && receive);
      const terms = pairTerms(pair, send.currency, receive.currency);
      const { payout } = quoteSend(terms, parseAmount(pair.max, send.currency.decimals));
      assert.ok(payout <= parseAmount(receive.available, receive.currency.decimals), pair.slug);
    }
  });

  it('leaves books that agree', async () => {
    const { differences } = await ledger.reconcile(api.db, 'whole', {
      openHolds: async () => [],
      misposted: async () => [],
    });
    assert.deepEqual(differences, []);
  });

  it('tells customers to pay to account numbers with right check digits', () => {
    const lines = demoCurrencies().flatMap(({ draft }) =>
      draft.payee_accounts.flatMap(({ details }) => details),
    );
    for (const { label, value } of lines) {
      if (label === 'IBAN') assert.ok(readIban(value), value);
      if (label === 'Address' && !value.includes(' ')) assert.ok(readAddress(value), value);
    }
  });
});
