import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockOffsetMs, leftMs } from './server-clock.ts';

describe("the server's clock", () => {
  it('is estimated from the middle between request and answer', () => {
    const server = '2026-11-20T12:00:10.000Z';
    const now = Date.parse('2026-11-20T12:00:00.000Z');
    assert.equal(clockOffsetMs(server, now - 100, now + 300), 9_900);
  });
  it('keeps a countdown right on a device whose clock is an hour off', () => {
    const device = Date.parse('2026-11-20T13:00:00.000Z');
    const offset = clockOffsetMs('2026-11-20T12:00:00.000Z', device, device);
    assert.equal(leftMs('2026-11-20T12:15:00.000Z', device + 60_000, offset), 14 * 60_000);
    assert.ok(leftMs('2026-11-20T12:15:00.000Z', device + 16 * 60_000, offset) < 0);
  });
});
