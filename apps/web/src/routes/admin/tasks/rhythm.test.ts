import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rhythmOf } from './rhythm.ts';

describe('the rhythm of a task', () => {
  it('is told in words where they are plain', () => {
    assert.deepEqual(rhythmOf('* * * * *'), { every: 'minute' });
    assert.deepEqual(rhythmOf('*/10 * * * *'), { every: 'minutes', minutes: 10 });
    assert.deepEqual(rhythmOf('0 * * * *'), { every: 'hour', minute: '00' });
    assert.deepEqual(rhythmOf('7 3 * * *'), { every: 'day', time: '03:07' });
  });

  it('is left as it stands where they are not', () => {
    for (const cron of ['0 * * * 1', '0 3 1 * *', '0,30 * * * *', '*/5 3 * * *', '0 1-5 * * *', ''])
      assert.equal(rhythmOf(cron), null, cron);
  });
});
