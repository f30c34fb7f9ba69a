import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { blank } from './editor/columns.ts';
import { quoteRefusal, requireSwitchedOn, statusOf } from './state.ts';
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

/** Manual; with `confirmed` automatic. */
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

const confirmed = (ms: number, freshFor = 24 * HOUR): Partial<PairRow> => ({
  rate_mode: 'automatic',
  mid_source: 'fixer',
  mid_confirmed_at: ago(ms),
  mid_fresh_until: new Date(now.getTime() + freshFor),
});
const status = (changes: Partial<PairRow>) => statusOf(pair(changes), policy, now);
const brief = (changes: Partial<PairRow>) => {
  const { state, lockMinutes } = status(changes);
  return [state, lockMinutes];
};

describe('the state of a market rate', () => {
  it('depends on the age of the last run that confirmed it, limits included', () => {
    assert.deepEqual(brief(confirmed(0)), ['live', 15]);
    assert.deepEqual(brief(confirmed(90 * MINUTE)), ['live', 15]);
    assert.deepEqual(brief(confirmed(90 * MINUTE + 1)), ['delayed', 5]);
    assert.deepEqual(brief(confirmed(360 * MINUTE)), ['delayed', 5]);
    assert.deepEqual(brief(confirmed(360 * MINUTE + 1)), ['stale', 15]);
  });

  it('never locks a delayed rate longer than the pair does', () => {
    assert.deepEqual(brief({ ...confirmed(2 * HOUR), lock_minutes: 3 }), ['delayed', 3]);
  });

  it('is stale by the provider’s own time, however recently a run confirmed it', () => {
    const shown = status(confirmed(0, -1));
    assert.equal(shown.state, 'stale');
    assert.match(shown.reason ?? '', /own time of the rate, 2026-11-21 07:30 UTC, is too long ago/);
    assert.equal(status(confirmed(0, 0)).state, 'live');
  });

  it('has the earlier of both times as the end of its freshness', () => {
    assert.deepEqual(status(confirmed(HOUR)).staleAt, ago(HOUR - 360 * MINUTE));
    assert.deepEqual(status(confirmed(HOUR, MINUTE)).staleAt, ago(-MINUTE));
  });

  it('is never stale for a pair of one unit', () => {
    const never = new Date('9999-12-31T00:00:00Z');
    const same = status({ ...confirmed(0), mid_confirmed_at: never, mid_fresh_until: never });
    assert.deepEqual([same.state, same.staleAt], ['live', null]);
  });
});

describe('the state of a rate in quarantine', () => {
  it('is stale at once and names the quarantined units', () => {
    const shown = status({ ...confirmed(0), mid_awaits: ['BTC'] });
    assert.deepEqual([shown.state, shown.checking, shown.lockMinutes], ['stale', true, 15]);
    assert.equal(shown.reason, 'A jump of BTC waits for a decision in the quarantine of rates.');
    const two = status({ ...confirmed(0), mid_awaits: ['BTC', 'USD'] });
    assert.match(two.reason ?? '', /^Jumps of BTC and USD wait for/);
    assert.equal(status(confirmed(0)).checking, false);
  });
});

describe('the state of a manual rate', () => {
  it('is live until its end, if it has one, and stale afterwards', () => {
    assert.deepEqual(brief({}), ['live', 15]);
    assert.equal(status({}).staleAt, null);
    assert.equal(status({ mid_until: now }).state, 'live');
    const ended = status({ mid_until: ago(1) });
    assert.equal(ended.state, 'stale');
    assert.match(ended.reason ?? '', /set by hand ended at 2026-11-21 08:29 UTC/);
  });
});

describe('a pair that is paused', () => {
  it('names the switch that is off; only a switch makes locked quotes invalid', () => {
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
      const { state, reason: actual } = status(changes);
      assert.equal(state, 'paused', String(reason));
      assert.match(actual ?? '', reason);
      const check = () => requireSwitchedOn(pair(changes));
      if (switchedOn) assert.doesNotThrow(check);
      else assert.throws(check, { code: 'pair_unavailable' });
    }
  });

  it('may be paused by one tier outside the bounds', () => {
    const tiers = [{ from: '100000', margin_percent: '-1' }];
    assert.equal(status({ tiers, rate_max: '0.93' }).state, 'live');
    assert.match(status({ tiers, rate_max: '0.925' }).reason ?? '', /0\.9292 lies above/);
    assert.equal(status({ rate_min: '0.92', rate_max: '0.92' }).state, 'live');
  });
});

describe('a pair outside its hours', () => {
  // 21 November 2026 is a Saturday.
  const hours = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }];

  it('is closed, even if it is stale, and has its next opening', () => {
    for (const changes of [{ hours }, { ...confirmed(24 * HOUR), hours }]) {
      const { state, opensAt } = status(changes);
      assert.deepEqual([state, opensAt?.toISOString()], ['closed', '2026-11-23T08:00:00.000Z']);
    }
    assert.equal(status({ hours, active: false }).state, 'paused');
  });
});

describe('the refusal of a quote', () => {
  const refusal = (changes: Partial<PairRow>) => {
    const asked = pair(changes);
    return quoteRefusal(asked, statusOf(asked, policy, now), policy.timeZone);
  };

  it('is null while the rate is live or delayed', () => {
    assert.equal(refusal({}), null);
    assert.equal(refusal(confirmed(2 * HOUR)), null);
  });

  it('names the time of the last rate, or the next opening, in the desk’s time zone', () => {
    const stale = refusal(confirmed(24 * HOUR));
    assert.deepEqual([stale?.status, stale?.code], [503, 'rates_stale']);
    assert.match(stale?.message ?? '', /The last one is from 21 November 2026, 08:30 (CET|GMT\+1)/);
    const checked = refusal({ ...confirmed(0), mid_awaits: ['BTC'] });
    assert.deepEqual([checked?.status, checked?.code], [503, 'rates_stale']);
    assert.match(checked?.message ?? '', /moved so far that we are checking it/);
    const closed = refusal({ hours: [{ days: [1], from: '09:00', to: '18:00' }] });
    assert.deepEqual([closed?.status, closed?.code], [409, 'pair_unavailable']);
    assert.match(closed?.message ?? '', /opens on 23 November 2026, 09:00 (CET|GMT\+1)/);
    const paused = refusal({ active: false });
    assert.deepEqual([paused?.status, paused?.code], [409, 'pair_unavailable']);
  });
});
