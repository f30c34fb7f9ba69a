/** Whose rate stands where a fall-back's is of an older time than the believed one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BelievedRate } from '#features/market/market.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { ago, believed, given, law, names, other, reasons } from '#test/judging.ts';
import { judge } from './judge.ts';

describe('an older figure of a fall-back', () => {
  const of = (asOf: Date, times: Partial<BelievedRate> = {}) => [
    { ...believed('USD', 'EUR', '1.09', asOf), freshUntil: ago(-2 * HOUR), ...times },
  ];
  const last = of(ago(5 * MINUTE));
  const rate = given('USD', 'EUR', '1.0947');

  it('waits as long as the believed one holds until the next run has ended', () => {
    assert.deepEqual(reasons(judge([other(rate)], law(last))), ['USD older_than_last']);
    const otherWay = given('EUR', 'USD', '0.9135');
    assert.deepEqual(reasons(judge([other(otherWay)], law(last))), ['EUR older_than_last']);
    const seconds = of(new Date(rate.asOf.getTime() + 15_000));
    assert.match(
      judge([other(rate)], law(seconds)).refusals[0]?.message ?? '',
      /is of 2026-03-14 11:50:00 UTC, older than the believed one of 2026-03-14 11:50:15 UTC/,
    );
    // The next run is at 13:00, and has ended by 13:03.
    for (const [minutes, accepted] of [
      [63, []],
      [62, ['USD']],
      [-1, ['USD']],
    ] as const) {
      const unheard = of(ago(5 * MINUTE), { confirmedAt: ago((180 - minutes) * MINUTE) });
      assert.deepEqual(names(judge([other(rate)], law(unheard)).accepted), accepted);
      const expiring = of(ago(5 * MINUTE), { freshUntil: ago(-minutes * MINUTE) });
      assert.deepEqual(names(judge([other(rate)], law(expiring)).accepted), accepted);
    }
    const younger = given('USD', 'EUR', '1.0947', { asOf: ago(4 * MINUTE) });
    assert.deepEqual(names(judge([other(younger)], law(last)).accepted), ['USD']);
  });

  it('is believed of the provider that stands before in the list, or alone', () => {
    const before = law(last, { order: ['openexchangerates', 'fixer'] });
    assert.deepEqual(names(judge([other(rate)], before).accepted), ['USD']);
    const gone = law(last, { order: ['openexchangerates'] });
    assert.deepEqual(names(judge([other(rate)], gone).accepted), ['USD']);
  });
});
