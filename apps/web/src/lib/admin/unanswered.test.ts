import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
standInMessages();
const { failureFrom } = await import('#lib/api/client.ts');
const { brokenWords, unansweredWords } = await import('./unanswered.ts');

it('a fault may hide that it was done, be it ours or of a proxy; a refusal says what it is', () => {
  const hasWords = ({ code }: { code: string }) => code in unansweredWords();
  for (const status of [500, 502, 503, 504, 524])
    assert.ok(hasWords(failureFrom(status, {}, null)), `${status}`);
  assert.ok(hasWords(failureFrom(500, { code: 'server_error' }, null)));
  assert.ok(hasWords(failureFrom(503, { code: 'service_unavailable' }, null)));
  assert.ok(!hasWords(failureFrom(503, { code: 'site_closed' }, null)));
  assert.ok(!hasWords(failureFrom(422, {}, null)));
});

it('a form that met a fault says what became of what was typed, and what to do', () => {
  const told = (status: number, work: 'save' | 'test' = 'save') =>
    Object.values(brokenWords(failureFrom(status, {}, null), work, 'It stays.'));
  assert.deepEqual(told(500), ['admin_unsaved_broken It stays. admin_unsaved_later']);
  assert.deepEqual(told(524).length, 1);
  assert.deepEqual(told(502, 'test'), ['admin_untested_broken It stays. admin_unsaved_later']);
  assert.deepEqual([told(422), told(429), brokenWords(null, 'save', '')], [[], [], {}]);
});
