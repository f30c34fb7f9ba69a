import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spanInWords } from './span.ts';

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
