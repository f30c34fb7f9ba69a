import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { blank } from './figures.ts';
import { quoteRefusal } from './offer.ts';
import { isSwitchedOn, standingOf } from './state.ts';
import type { PairRow, Side } from './store.ts';

const now = new Date('2026-11-21T08:30:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const policy = {
  delayedMinutes: 90,
  staleMinutes: 360,
  delayedLockMinutes: 5,
  timeZone: 'Europe/Paris',
};

function side(unit: string, changes: Partial<Side> = {}): Side {
  return {
    id: unit,
    slug: unit.toLowerCase(),
    unit,
    name: `${unit} account`,
    export_code: unit,
    symbol: unit.slice(0, 1),
    channel: 'Bank transfer',
    kind: 'bank',
    decimals: 2,
    active: true,
    position: 0,
    min_send: null,
    max_send: null,
    min_receive: null,
    max_receive: null,
    sender_fields: [],
    payout_fields: [],
    payout_time: '',
    payable: true,
    ...changes,
  };
}

/** Manual; with `heard` automatic. */
function pair(changes: Partial<PairRow> = {}): PairRow {
  return {
    ...blank,
    tiers: [],
    id: 'p',
    slug: 'usd-to-eur',
    send_currency_id: 'USD',
    receive_currency_id: 'EUR',
    mid_rate: '0.92',
    mid_source: 'manual',
    mid_as_of: ago(HOUR),
    mid_until: null,
    mid_confirmed_at: null,
    mid_fresh_until: null,
    mid_awaits: [],
    rate_digits: 4,
    min_send: 1000n,
    max_send: 500_000n,
    lock_minutes: 15,
    pay_minutes: 60,
    evidence: 'proof',
    complete_on_approval: false,
    active: true,
    position: 0,
    version: 1,
    created_at: now,
    updated_at: now,
    send: side('USD'),
    receive: side('EUR'),
    ...changes,
  };
}

const heard = (ms: number, freshFor = 24 * HOUR): Partial<PairRow> => ({
  rate_mode: 'automatic',
  mid_source: 'fixer',
  mid_confirmed_at: ago(ms),
  mid_fresh_until: new Date(now.getTime() + freshFor),
});
const standing = (changes: Partial<PairRow>) => standingOf(pair(changes), policy, now);
const brief = (changes: Partial<PairRow>) => {
  const { state, lockMinutes } = standing(changes);
  return [state, lockMinutes];
};

describe('the state of a market rate', () => {
  it('is by the age of the last run that brought it, each limit still within', () => {
    assert.deepEqual(brief(heard(0)), ['live', 15]);
    assert.deepEqual(brief(heard(90 * MINUTE)), ['live', 15]);
    assert.deepEqual(brief(heard(90 * MINUTE + 1)), ['delayed', 5]);
    assert.deepEqual(brief(heard(360 * MINUTE)), ['delayed', 5]);
    assert.deepEqual(brief(heard(360 * MINUTE + 1)), ['stale', 15]);
  });

  it('never locks longer for being delayed', () => {
    assert.deepEqual(brief({ ...heard(2 * HOUR), lock_minutes: 3 }), ['delayed', 3]);
  });

  it('is stale by the provider’s own time too, however often it is said again', () => {
    const told = standing(heard(0, -1));
    assert.equal(told.state, 'stale');
    assert.match(told.reason ?? '', /own time of the rate, 2026-11-21 07:30 UTC, is too long ago/);
    assert.equal(standing(heard(0, 0)).state, 'live');
  });

  it('says from when on it will be stale, by whichever comes first', () => {
    assert.deepEqual(standing(heard(HOUR)).staleAt, ago(HOUR - 360 * MINUTE));
    assert.deepEqual(standing(heard(HOUR, MINUTE)).staleAt, ago(-MINUTE));
  });

  it('never is for what no market is needed for', () => {
    const never = new Date('9999-12-31T00:00:00Z');
    const same = standing({ ...heard(0), mid_confirmed_at: never, mid_fresh_until: never });
    assert.deepEqual([same.state, same.staleAt], ['live', null]);
  });
});

describe('the state of a rate that awaits a decision', () => {
  it('is stale at once, however fresh it is, and says what waits', () => {
    const told = standing({ ...heard(0), mid_awaits: ['BTC'] });
    assert.deepEqual([told.state, told.checking, told.lockMinutes], ['stale', true, 15]);
    assert.equal(told.reason, 'A jump of BTC waits for a yes or no in the quarantine of rates.');
    const two = standing({ ...heard(0), mid_awaits: ['BTC', 'USD'] });
    assert.match(two.reason ?? '', /^Jumps of BTC and USD wait for/);
    assert.equal(standing(heard(0)).checking, false);
  });
});

describe('the state of a manual rate', () => {
  it('is live without an end, until its end with one, and stale after it', () => {
    assert.deepEqual(brief({}), ['live', 15]);
    assert.equal(standing({}).staleAt, null);
    assert.equal(standing({ mid_until: now }).state, 'live');
    const ended = standing({ mid_until: ago(1) });
    assert.equal(ended.state, 'stale');
    assert.match(ended.reason ?? '', /set by hand ended at 2026-11-21 08:29 UTC/);
  });
});

describe('a pair that is paused', () => {
  it('says which switch is off, and only that stands in the way of locked quotes', () => {
    const cases: [Partial<PairRow>, RegExp, boolean][] = [
      [{ active: false }, /^It is switched off/, false],
      [{ send: side('USD', { active: false }) }, /^USD account is switched off/, false],
      [{ receive: side('EUR', { active: false }) }, /^EUR account is switched off/, false],
      [{ send: side('USD', { payable: false }) }, /no account that customers could pay to/, false],
      [{ mid_rate: null }, /set one/, true],
      [{ mid_rate: null, rate_mode: 'automatic' }, /no rate from USD to EUR/, true],
      [{ rate_max: '0.91' }, /of 0\.9200 lies above the highest allowed, 0\.91\./, true],
      [{ rate_min: '0.93' }, /below the lowest allowed, 0\.93\./, true],
      [{ mid_rate: '0.00001' }, /no amount keeps the limits/, true],
    ];
    for (const [changes, reason, switchedOn] of cases) {
      const { state, reason: said } = standing(changes);
      assert.equal(state, 'paused', String(reason));
      assert.match(said ?? '', reason);
      assert.equal(isSwitchedOn(pair(changes)), switchedOn, said ?? '');
    }
  });

  it('has a tier outside the bounds', () => {
    const tiers = [{ from: '100000', margin_percent: '-1' }];
    assert.equal(standing({ tiers, rate_max: '0.93' }).state, 'live');
    assert.match(standing({ tiers, rate_max: '0.925' }).reason ?? '', /0\.9292 lies above/);
    assert.equal(standing({ rate_min: '0.92', rate_max: '0.92' }).state, 'live');
  });
});

describe('a pair outside its hours', () => {
  // 21 November 2026 is a Saturday.
  const hours = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }];

  it('is closed, before it is stale, and says when it opens', () => {
    for (const changes of [{ hours }, { ...heard(24 * HOUR), hours }]) {
      const { state, opensAt } = standing(changes);
      assert.deepEqual([state, opensAt?.toISOString()], ['closed', '2026-11-23T08:00:00.000Z']);
    }
    assert.equal(standing({ hours, active: false }).state, 'paused');
  });
});

describe('what a customer hears instead of a quote', () => {
  const refusal = (changes: Partial<PairRow>) => {
    const asked = pair(changes);
    return quoteRefusal(asked, standingOf(asked, policy, now), policy.timeZone);
  };

  it('is nothing while the rate is live or delayed', () => {
    assert.equal(refusal({}), null);
    assert.equal(refusal(heard(2 * HOUR)), null);
  });

  it('names the time of the last rate, or when it opens, by the desk’s clock', () => {
    const stale = refusal(heard(24 * HOUR));
    assert.deepEqual([stale?.status, stale?.code], [503, 'rates_stale']);
    assert.match(stale?.message ?? '', /The last one is from 21 November 2026, 08:30 (CET|GMT\+1)/);
    const checked = refusal({ ...heard(0), mid_awaits: ['BTC'] });
    assert.deepEqual([checked?.status, checked?.code], [503, 'rates_stale']);
    assert.match(checked?.message ?? '', /moved so far that we are checking it/);
    const closed = refusal({ hours: [{ days: [1], from: '09:00', to: '18:00' }] });
    assert.deepEqual([closed?.status, closed?.code], [409, 'pair_unavailable']);
    assert.match(closed?.message ?? '', /opens on 23 November 2026, 09:00 (CET|GMT\+1)/);
    const paused = refusal({ active: false });
    assert.deepEqual([paused?.status, paused?.code], [409, 'pair_unavailable']);
  });
});
