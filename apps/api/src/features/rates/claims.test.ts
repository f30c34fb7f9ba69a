/** What waits since it contradicts, said again in runs whose provider says nothing of it, speaks of no base. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import {
  ago,
  believed as standing,
  fixer as first,
  given,
  law,
  names,
  other as witness,
} from '#test/judging.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';
import { heardAgain, isCorrected } from './claims.ts';
import { judge } from './judge.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, believed, freshHour, usual } = desk;
const { fixer, openexchangerates: other, 'exchangerate-api': daily } = fakes;
const usualOther = { ...other.rates };
const usualDaily = { ...daily.rates };
for (const unit of ['jpy', 'pln']) await addCurrency(admin, unit);
const URL = '/api/admin/rates/quarantine';

const waiting = async (): Promise<Json[]> =>
  (await admin.get(URL)).body.data.filter((each: Json) => each.decision === null);

/** That the dollar is believed, and that questions wait for these alone: the time when pounds were confirmed. */
async function doubted(...units: string[]): Promise<string> {
  const asked = (await waiting()).map(({ unit, reason }) => `${unit} ${reason}`);
  assert.deepEqual(
    asked.toSorted(),
    units.map((unit) => `${unit} contradicted`),
  );
  assert.equal((await believed('USD')).confirmed_at, api.clock.now().toISOString());
  return (await believed('GBP')).confirmed_at;
}

/** Fixer lacks bitcoins, so the other one is asked too, who agrees about the euro. */
beforeEach(async () => {
  other.rates = { ...usualOther };
  daily.rates = { ...usualDaily };
  await forgetMarket(api);
  await freshHour();
  await setKey('openexchangerates');
  const { BTC: _btc, ...withoutCoin } = usual;
  fixer.rates = withoutCoin;
});

describe('three claims', () => {
  const FAR = { GBP: '1.3', JPY: '250', PLN: '6' };

  it('are no chorus against the base while their provider is silent', async () => {
    await configure({ providers: listed('fixer', 'openexchangerates') });
    other.rates = { ...usualOther, ...FAR };
    await run();
    const before = await doubted('GBP', 'JPY', 'PLN');
    other.mood = 'reset';
    api.clock.advance(HOUR);
    await run();
    assert.equal(await doubted('GBP', 'JPY', 'PLN'), before);
    for (const { id, rate } of await waiting()) {
      const answer = await admin.post(`${URL}/${id}/decision`, { decision: 'accept', rate });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('are none between two turns of their provider, nor are two of them', async () => {
    const [first, second] = listed('fixer', 'openexchangerates');
    await configure({ providers: [first, { ...second, cadence_hours: 8, monthly_quota: 100 }] });
    const { PLN: _pln, ...two } = FAR;
    for (const far of [two, FAR]) {
      other.rates = { ...usualOther, ...far };
      await run();
      const units = Object.keys(far);
      const before = await doubted(...units);
      const { attempts } = await hourly();
      assert.equal(attempts[1].outcome, 'cadence');
      assert.equal(await doubted(...units), before);
    }
  });

  it('are none while their provider has nothing new', async () => {
    await setKey('exchangerate-api');
    const [first] = listed('fixer');
    const second = { name: 'exchangerate-api', feed: 'daily', monthly_quota: null };
    await configure({ providers: [first, { ...second, cadence_hours: 1 }] });
    daily.rates = { ...daily.rates, ...FAR };
    await run();
    const before = await doubted('GBP', 'JPY', 'PLN');
    api.clock.advance(HOUR);
    assert.equal((await run()).attempts[1].outcome, 'not_due');
    assert.equal(await doubted('GBP', 'JPY', 'PLN'), before);
  });
});

describe('a jump of a provider that gives rates once a day', () => {
  it('stays asked after an answer of 0 until the next, though it be too old by then', async () => {
    await setKey('exchangerate-api');
    const [second] = listed('fixer');
    const first = {
      name: 'exchangerate-api',
      feed: 'daily',
      monthly_quota: null,
      cadence_hours: 1,
    };
    await configure({ providers: [first, second] });
    const runAt = async (time: string): Promise<string> => {
      api.clock.set(new Date(`2026-03-${time}:20Z`));
      return (await run()).attempts[0].outcome;
    };
    await runAt('17T00:30');
    daily.rates['GBP'] = '1.2';
    await runAt('18T00:30');
    const [row] = await waiting();
    assert.deepEqual([row.unit, row.provider, row.reason], ['GBP', 'exchangerate-api', 'jump']);
    daily.rates['GBP'] = '0';
    assert.equal(await runAt('19T00:30'), 'ok');
    for (const time of ['19T01:30', '19T02:30', '19T23:30']) {
      assert.equal(await runAt(time), 'not_due');
      assert.deepEqual(
        (await waiting()).map(({ id }) => id),
        [row.id],
        time,
      );
    }
    delete daily.rates['GBP'];
    assert.equal(await runAt('20T00:30'), 'ok');
    assert.deepEqual(await waiting(), []);
  });
});

describe('claims beside what is said now', () => {
  const heardAt = ago(HOUR);
  const usualEuros = { USD: '1.3', GBP: '0.88', JPY: '165', PLN: '4.3' };
  const euros = Object.entries(usualEuros).map(([unit, rate]) => given(unit, 'EUR', rate));
  const market = law(euros.map(({ unit, rate }) => standing(unit, 'EUR', rate)));

  it('are each heard by themselves in terms of the common base too', () => {
    const claims = euros.slice(1).map(({ unit, rate }) => {
      return given(unit, 'EUR', String(Number(rate) * 2), { heardAt });
    });
    const { accepted, jumps } = judge([first(...euros), witness(...claims)], market);
    assert.deepEqual([names(accepted), names(jumps)], [['USD'], ['GBP', 'JPY', 'PLN']]);
  });

  it('are one word with it: a rate of the base, and a chorus in terms of that', () => {
    const now = euros.slice(1).map(({ unit, rate }) => {
      return given(unit, 'USD', (Number(rate) / 2).toFixed(6));
    });
    const claim = given('EUR', 'USD', '0.5', { heardAt });
    const { accepted, jumps } = judge([first(...euros), witness(...now, claim)], market);
    assert.deepEqual([names(accepted), names(jumps)], [['GBP', 'JPY', 'PLN'], ['EUR']]);
  });

  const [gbp, jpy] = [given('GBP', 'USD', '1.3'), given('JPY', 'USD', '250')];
  const again = (now: readonly ReturnType<typeof given>[], claims = [gbp]) =>
    heardAgain(
      [first(...euros), witness(...now)],
      claims.map((each) => {
        const provider = 'openexchangerates';
        return { ...each, provider, reason: 'contradicted', seenAt: heardAt } as const;
      }),
      [{ name: 'openexchangerates', feed: 'hourly' }],
      market.now,
    );

  it('are not added to what repeats them already', () => {
    const [, heard] = again([{ ...gbp, heardAt }], [gbp, jpy]);
    assert.deepEqual(names(heard?.rates ?? []), ['GBP', 'JPY']);
  });

  it('are heard where their provider says the very figure, in terms of a base that is not 1', () => {
    const { jumps } = judge(again([given('USD', 'USD', '2'), gbp]), market);
    assert.deepEqual(
      jumps.map(({ unit, seenAt }) => [unit, seenAt]),
      [['GBP', heardAt]],
    );
  });
});

describe('a claim', () => {
  const claim = { ...given('GBP', 'USD', '7.4525'), provider: 'openexchangerates' };
  const refusal = { unit: 'GBP', provider: 'fixer', reason: 'contradicted', message: '' } as const;
  const says = (
    rate: string,
    { base = 'USD', provider = claim.provider, answered = true } = {},
  ) => [{ provider, answered, rates: [given('GBP', base, rate)] }];

  it('is corrected by another figure of its own provider that was judged and refused', () => {
    assert.equal(isCorrected(claim, says('0.765'), [refusal]), true);
    assert.equal(isCorrected(claim, says('7.45250'), [refusal]), false);
    const waits = { ...refusal, provider: claim.provider, reason: 'base_waits' } as const;
    assert.equal(isCorrected(claim, says('0.765'), [waits]), true);
  });

  it('is not by who is not asked, by others, in terms of another base, or before that is judged', () => {
    const now = says('0.765');
    assert.equal(isCorrected(claim, says('0.765', { answered: false }), [refusal]), false);
    assert.equal(isCorrected(claim, says('0.765', { provider: 'fixer' }), [refusal]), false);
    assert.equal(isCorrected(claim, says('0.765', { base: 'EUR' }), [refusal]), false);
    assert.equal(isCorrected(claim, now, [{ ...refusal, reason: 'base_waits' }]), false);
    assert.equal(isCorrected(claim, now, [{ ...refusal, unit: 'EUR' }]), false);
  });
});
