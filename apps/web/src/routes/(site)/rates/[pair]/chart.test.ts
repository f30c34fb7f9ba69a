import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawChart } from './chart.ts';

const point = (at: string, rate: string) => ({ at, rate, source: 'fixer', as_of: at });
const day = {
  since: '2026-11-20T10:00:00.000Z',
  until: '2026-11-21T10:00:00.000Z',
};

describe('drawChart', () => {
  it('draws steps from the rate at the start of the range to now', () => {
    const drawing = drawChart({
      ...day,
      points: [point('2026-11-01T00:00:00Z', '1.0'), point('2026-11-20T22:00:00Z', '2')],
      high: '2',
      low: '1',
    });
    assert.equal(drawing?.line, 'M0 196H500V30H1000');
    assert.equal(drawing.ground, 'V196H0Z');
    assert.deepEqual(
      drawing.points.map(({ x, y }) => [x, y]),
      [
        [0, 196],
        [50, 30],
      ],
    );
  });

  it('gives a new pair the whole width from its second rate on, with fitting times', () => {
    const first = point('2026-11-21T04:00:00Z', '1');
    assert.equal(drawChart({ ...day, points: [first], high: '1', low: '1' }), null);
    const points = [first, point('2026-11-21T08:30:00Z', '2')];
    const drawing = drawChart({ ...day, points, high: '2', low: '1' });
    assert.equal(drawing?.line, 'M0 196H750V30H1000');
    assert.deepEqual(
      drawing.ticks.map(({ at }) => at.slice(11, 16)),
      ['06:00', '09:00'],
    );
    const same = { at: day.until, rate: '2', source: 'fixer', as_of: day.until };
    assert.equal(drawChart({ ...day, points: [same, same], high: '2', low: '2' }), null);
  });

  it('draws a single old rate as a level line', () => {
    const points = [point('2026-11-01T00:00:00Z', '1')];
    assert.equal(drawChart({ ...day, points, high: '1', low: '1' })?.line, 'M0 113H1000');
  });

  it('distinguishes rates beyond a number’s precision', () => {
    const drawing = drawChart({
      ...day,
      points: [
        point('2026-11-20T10:00:00Z', '100000000000000000.000000000000000001'),
        point('2026-11-20T22:00:00Z', '100000000000000000.000000000000000003'),
      ],
      high: '100000000000000000.000000000000000003',
      low: '100000000000000000.000000000000000001',
    });
    assert.deepEqual(
      drawing?.points.map(({ y }) => y),
      [196, 30],
    );
  });

  it('labels round times away from the ends', () => {
    const ticks = (since: string) =>
      drawChart({
        since,
        until: day.until,
        points: [point('2020-01-01T00:00:00Z', '1')],
        high: '1',
        low: '1',
      })?.ticks.map(({ at }) => at.slice(5, 16));
    assert.deepEqual(ticks(day.since), [
      '11-20T12:00',
      '11-20T18:00',
      '11-21T00:00',
      '11-21T06:00',
    ]);
    assert.deepEqual(ticks('2026-11-14T10:00:00Z'), ['11-15T00:00', '11-17T00:00', '11-19T00:00']);
    assert.deepEqual(ticks('2026-10-22T10:00:00Z'), ['10-31T00:00', '11-07T00:00', '11-14T00:00']);
    assert.deepEqual(ticks('2025-11-21T10:00:00Z'), [
      '01-01T00:00',
      '04-01T00:00',
      '07-01T00:00',
      '10-01T00:00',
    ]);
  });

  it('draws nothing without rates', () => {
    assert.equal(drawChart({ ...day, points: [], high: null, low: null }), null);
  });
});
