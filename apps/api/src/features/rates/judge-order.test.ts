/** A provider whose base is another than that of what is believed: what its figures are compared with. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marketOf } from '#features/market/market.ts';
import {
  believed,
  believedCoin,
  coin,
  fixer,
  given,
  law,
  names,
  NOW,
  reasons,
} from '#test/judging.ts';
import { judge } from './judge.ts';

const questions = ({ jumps }: ReturnType<typeof judge>) =>
  jumps.map(({ unit, base, reason }) => `${unit}/${base} ${reason}`);

describe('a euro that jumps, where all is believed in dollars and told in euros', () => {
  const market = [
    believed('EUR', 'USD', '0.8603'),
    believed('GBP', 'USD', '0.74'),
    believedCoin('BTC', 'USD', '95000'),
  ];

  it('is one question, whatever stands before the dollar in the alphabet', () => {
    const pound = given('GBP', 'EUR', '0.716804');
    const said = fixer(coin('BTC', 'EUR', '98074.2'), pound, given('USD', 'EUR', '0.968654'));
    const judgement = judge([said], law(market));
    assert.deepEqual(questions(judgement), ['USD/EUR jump']);
    assert.deepEqual(reasons(judgement), ['BTC base_waits', 'GBP base_waits']);
  });

  it('leaves what stayed with the euro in euros, also where the step is small', () => {
    const said = fixer(given('GBP', 'EUR', '0.860165'), given('USD', 'EUR', '1.179816'));
    const limits = { ...law().limits, jump_percent: '1' };
    const judgement = judge([said], law(market, { limits }));
    assert.deepEqual(questions(judgement), ['USD/EUR jump']);
    assert.deepEqual(names(judgement.accepted), ['GBP']);
  });
});

describe('a figure of one digit', () => {
  it('is not what is believed already only because that rounds to it', () => {
    const euro = believed('EUR', 'USD', '0.8603');
    const dayAgo = [marketOf([euro, believed('BTC', 'USD', '0.0000139')], NOW)];
    const asked = law([euro, believed('BTC', 'USD', '0.00000937')], { dayAgo });
    const judgement = judge([fixer(given('BTC', 'EUR', '0.00001'))], asked);
    assert.deepEqual(questions(judgement), ['BTC/EUR drift']);
  });
});
