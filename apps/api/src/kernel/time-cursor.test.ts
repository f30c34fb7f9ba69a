import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from './id.ts';
import { readTimeCursor, writeTimeCursor } from './time-cursor.ts';

describe('a cursor of time and id', () => {
  it('comes back as it was', () => {
    const place = { at: new Date('2026-11-21T08:30:00.123Z'), id: newId() };
    assert.deepEqual(readTimeCursor(writeTimeCursor(place)), place);
  });

  for (const wrong of ['', 'x', '1 2', `99999999999999 ${newId()}`, `1 ${newId()} more`]) {
    it(`is not ${JSON.stringify(wrong)}`, () => {
      const cursor = Buffer.from(wrong).toString('base64url');
      assert.throws(() => readTimeCursor(cursor), { status: 422 });
    });
  }
});
