import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn } from '#lib/stand-in.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
const { ApiError } = await import('#lib/api.ts');
const { LostAnswer } = await import('./lost-answer.ts');

function refused(status: number, code = `http_${status}`) {
  const error = new ApiError({ status, code, message: '', errors: {}, request_id: null });
  return () => Promise.reject(error);
}
const says =
  <Said>(said: Said) =>
  () =>
    Promise.resolve(said);

describe('a deed whose answer is lost', () => {
  it('was done where the record says so', async () => {
    for (const status of [0, 502])
      assert.equal(await new LostAnswer().orFind(refused(status), says('sent')), 'sent');
  });

  it('stays unanswered while the record says nothing, and is known at the next press', async () => {
    for (const silent of [says(null), refused(0)]) {
      const lost = new LostAnswer();
      await assert.rejects(lost.orFind(refused(0), silent), { status: 0 });
      assert.equal(await lost.orFind(refused(409), says('sent')), 'sent');
    }
  });

  it('is not taken for what somebody else has done', async () => {
    const lost = new LostAnswer();
    await assert.rejects(lost.orFind(refused(409), says('theirs')), { status: 409 });
    await lost.orFind(refused(0), says('mine'));
    await assert.rejects(lost.orFind(refused(409), says('theirs')), { status: 409 });
  });

  it('was a deletion where nothing is left to read', async () => {
    const lost = new LostAnswer();
    await assert.rejects(lost.orGone(refused(404), refused(404)), { status: 404 });
    await assert.rejects(lost.orGone(refused(0), says('still there')), { status: 0 });
    await lost.orGone(refused(404), refused(404));
  });
});
