import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formatShortest, parseDecimal } from '@cambist/money/decimal';
import { addCurrency, addPair, setDesk } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { openLog } from '#platform/log.ts';
import { secondApproverThreshold, warnOfSoleOperator } from './second-approver.ts';
import { readValuation, valuationIn } from './valuation.ts';

const usd = { slug: 'usd', unit: 'USD', decimals: 2 };
const eur = { slug: 'eur', unit: 'EUR', decimals: 2 };
const btc = { slug: 'btc', unit: 'BTC', decimals: 8 };
const text = (value: ReturnType<ReturnType<typeof valuationIn>['valueOf']>) =>
  value && formatShortest(value);

describe('the valuation in the reporting unit', () => {
  const rates = [
    { from: 'USD', to: 'EUR', mid_rate: '0.8' },
    { from: 'EUR', to: 'USD', mid_rate: '1.3' },
    { from: 'USD', to: 'GBP', mid_rate: '0.75' },
    { from: 'BTC', to: 'EUR', mid_rate: '50000' },
    { from: 'XMR', to: 'BTC', mid_rate: '0.005' },
  ];
  const { valueOf, amountOf } = valuationIn('USD', rates);

  it('takes the pair, else its reverse, else the way over one other unit', () => {
    assert.equal(text(valueOf(10_050n, usd)), '100.5');
    assert.equal(text(valueOf(10_000n, eur)), '130');
    assert.equal(text(valueOf(100n, { unit: 'GBP', decimals: 2 })), '1.333333333333333333');
    assert.equal(text(valueOf(1n, btc)), '0.00065');
    // Two other units are too many, and none is no rate.
    assert.equal(valueOf(1n, { unit: 'XMR', decimals: 12 }), null);
    assert.equal(valueOf(1n, { unit: 'JPY', decimals: 0 }), null);
  });

  it('finds the amount of a value, rounded down to the currency', () => {
    assert.equal(amountOf(parseDecimal('65'), btc), 100_000n);
    assert.equal(amountOf(parseDecimal('1'), eur), 76n);
    assert.equal(amountOf(parseDecimal('1'), { unit: 'JPY', decimals: 0 }), null);
  });
});

describe('the threshold of a second approver', () => {
  const lines: string[] = [];
  const log = openLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) });

  it('is the setting’s; else, in production with two operators, about 5,000 in the reporting unit', async () => {
    const api = await startTestApi({ after });
    const { client: admin } = await api.asAdmin();
    for (const { slug } of [usd, eur]) await addCurrency(admin, slug);
    await addPair(admin, 'usd', 'eur', { mid_rate: '0.92' });
    await addCurrency(admin, 'btc', { decimals: 8 });
    await addPair(admin, 'btc', 'eur', { mid_rate: '60000' });
    const production = {
      ...api.deps,
      log,
      config: { ...api.deps.config, appEnv: 'production' },
    } as const;
    const threshold = (currency: typeof usd) => secondApproverThreshold(production, currency);

    assert.equal(await threshold(usd), null);
    await warnOfSoleOperator(production);
    assert.match(lines.join(''), /one operator alone can approve any amount/);
    await api.asAdmin({ permissions: ['desk'] });
    assert.equal(await threshold(usd), 500_000n);
    assert.equal(await threshold(eur), 500_000n);
    // 4,600 EUR are 0.07666666 BTC.
    assert.equal(await threshold(btc), 8_000_000n);
    assert.equal(await threshold({ slug: 'jpy', unit: 'JPY', decimals: 0 }), null);
    assert.equal(await secondApproverThreshold(api.deps, usd), null);

    await setDesk(admin, { second_approver_above: [{ currency: 'usd', amount: '750.50' }] });
    assert.equal(await threshold(usd), 75_050n);
    assert.equal(await secondApproverThreshold(api.deps, usd), 75_050n);
    lines.length = 0;
    await warnOfSoleOperator(production);
    assert.deepEqual(lines, []);

    await setDesk(admin, { reporting_unit: 'EUR' });
    const { unit, valueOf } = await readValuation(api.deps);
    assert.deepEqual([unit, text(valueOf(1_000n, usd))], ['EUR', '9.2']);
  });
});
