import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/stand-in.ts';

standInMessages(`(key) => ({ count } = {}) => count + ' ' + key.replace('mail_status_dead_', '')`);
standIn({ '#lib/paraglide/runtime.js': "export const getLocale = () => 'en'" });
const { failedWords, triedWords } = await import('./failed-words.ts');

const words = (dead: number, dead_to_try: number, dead_of_campaigns = 0) =>
  failedWords({ dead, dead_to_try, dead_of_campaigns });

describe('what is said of letters that failed', () => {
  it('is true to the buttons: what is tried together, and what is not', () => {
    assert.equal(words(2, 2), '2 to_try');
    assert.equal(words(2, 0), '2 left_out');
    assert.equal(words(5, 2, 1_000), '2 to_try; 3 left_out; 1,000 campaigns');
  });

  it('tells of no kind that there is none of', () => {
    assert.equal(words(0, 0), undefined);
    assert.equal(words(0, 0, 4), '4 campaigns');
  });
});

describe('what is said once all were tried again', () => {
  it('is how many, or that nothing was left where another tab was first', () => {
    assert.equal(triedWords({ tried: 3, left: 0 }), '3 mail_all_done');
    assert.equal(triedWords({ tried: 1000, left: 2 }), '1000 mail_all_done_left');
    assert.match(triedWords({ tried: 0, left: 0 }), /mail_all_done_none$/);
  });
});
