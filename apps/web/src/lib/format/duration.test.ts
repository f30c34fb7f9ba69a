import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockFace, relativeTime, spanInWords, waitInWords } from './duration.ts';

const second = 1000;
const minute = 60 * second;

describe('clockFace', () => {
  it('shows minutes and seconds, and hours only when there are any', () => {
    assert.equal(clockFace(14 * minute + 59 * second), '14:59');
    assert.equal(clockFace(9 * second), '0:09');
    assert.equal(clockFace(64 * minute + 5 * second), '1:04:05');
  });
  it('rounds up to whole seconds and never goes below zero', () => {
    assert.equal(clockFace(1), '0:01');
    assert.equal(clockFace(-minute), '0:00');
  });
});

describe('relativeTime', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it('takes the largest unit that fits', () => {
    assert.equal(relativeTime(now - 4 * minute, now, 'en'), '4 minutes ago');
    assert.equal(relativeTime(now - 119 * minute, now, 'en'), '1 hour ago');
    assert.equal(relativeTime(now - 24 * 60 * minute, now, 'en'), 'yesterday');
    assert.equal(relativeTime(now + 2 * minute, now, 'en', { coming: true }), 'in 2 minutes');
  });
  it('calls the last ten seconds now', () => {
    assert.equal(relativeTime(now - 9 * second, now, 'en'), 'now');
  });
  it('shows a past time as now when the local clock is slow', () => {
    assert.equal(relativeTime(now + 4 * minute, now, 'en'), 'now');
  });
});

describe('spanInWords', () => {
  it('takes the largest unit that needs no fraction', () => {
    assert.equal(spanInWords(1, 'en'), '1 minute');
    assert.equal(spanInWords(45, 'en'), '45 minutes');
    assert.equal(spanInWords(90, 'en'), '90 minutes');
    assert.equal(spanInWords(120, 'en'), '2 hours');
    assert.equal(spanInWords(1_440, 'en'), '1 day');
    assert.equal(spanInWords(10_080, 'de'), '7 Tage');
  });
});

describe('waitInWords', () => {
  it('rounds up in seconds, minutes or hours', () => {
    assert.equal(waitInWords(1, 'en'), '1 second');
    assert.equal(waitInWords(90, 'en'), '90 seconds');
    assert.equal(waitInWords(91, 'en'), '2 minutes');
    assert.equal(waitInWords(91 * 60, 'en'), '2 hours');
  });
});
