import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { nextTurn, retryAtOf } from './turn.ts';

const NOW = new Date('2026-11-21T10:17:31Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

describe('Retry-After', () => {
  it('is read as seconds and as each of the three dates of HTTP', () => {
    assert.deepEqual(retryAtOf('120', NOW), after(120 * SECOND));
    for (const date of [
      'Sat, 21 Nov 2026 12:00:00 GMT',
      'Saturday, 21-Nov-26 12:00:00 GMT',
      'Sat Nov 21 12:00:00 2026',
    ])
      assert.deepEqual(retryAtOf(date, NOW), new Date('2026-11-21T12:00:00Z'), date);
    assert.deepEqual(
      retryAtOf('Tue Dec  1 00:00:00 2026', new Date('2026-11-30T23:00:00Z')),
      new Date('2026-12-01T00:00:00Z'),
    );
  });

  it('is a day at most, however long it says', () => {
    for (const long of ['86401', '999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      assert.deepEqual(retryAtOf(long, NOW), after(DAY), long);
  });

  it('is nothing where it has passed or is no such time', () => {
    for (const none of [
      undefined,
      '',
      '0',
      '-5',
      '1.5',
      '1e3',
      'soon',
      '2026-11-21T12:00:00Z',
      'Sat, 21 Nov 2026 10:17:31 GMT',
      'Sat, 21 Nov 2026 25:00:00 GMT',
      'Sat, 41 Foo 2026 12:00:00 GMT',
      '1'.repeat(400),
    ])
      assert.equal(retryAtOf(none, NOW), null, String(none));
  });
});

describe('a provider’s turn', () => {
  const rule = { cadence: 8, plan: 100 } as const;
  const memory = { asked_at: NOW, hasFailed: false, used: 10 };

  it('comes again after its hours, also where the run is a little early', () => {
    const at = new Date('2026-11-21T19:00:00Z');
    assert.deepEqual(nextTurn(memory, rule, after(HOUR)), at);
    assert.deepEqual(nextTurn(memory, rule, after(8 * HOUR - 2 * MINUTE)), at);
    assert.equal(nextTurn(memory, rule, after(8 * HOUR - 30 * SECOND)), null);
    assert.equal(nextTurn({ ...memory, asked_at: null }, rule, NOW), null);
    assert.equal(nextTurn(memory, { ...rule, cadence: 1 }, after(MINUTE)), null);
  });

  it('is told as the run of the schedule that asks it', () => {
    const late = (ms: number) => new Date(Date.parse('2026-11-21T11:00:00Z') + ms);
    const asked = (ms: number) => nextTurn({ ...memory, asked_at: late(ms) }, rule, late(HOUR));
    assert.deepEqual(asked(0), late(8 * HOUR));
    assert.deepEqual(asked(MINUTE), late(8 * HOUR));
    assert.deepEqual(asked(MINUTE + 1), late(9 * HOUR));
    assert.deepEqual(asked(-MINUTE), late(8 * HOUR));
  });

  it('comes at once after a failure while the plan has requests to spare', () => {
    const now = after(HOUR);
    const failing = { ...memory, hasFailed: true };
    assert.equal(nextTurn(failing, rule, now), null);
    assert.equal(nextTurn({ ...failing, used: 5000 }, { ...rule, plan: null }, now), null);
    // The month has 229 hours left: 29 turns.
    assert.equal(nextTurn({ ...failing, used: 70 }, rule, now), null);
    assert.deepEqual(
      nextTurn({ ...failing, used: 71 }, rule, now),
      new Date('2026-11-21T19:00:00Z'),
    );
  });
});
