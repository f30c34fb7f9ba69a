import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

standIn({ '#lib/paraglide/runtime.js': `export const getLocale = () => 'en'` });
const { minutesFor, spanOfMinutes } = await import('./sending-time.ts');

it('the time of a campaign is told in minutes, hours or days', () => {
  const said = (emails: number) => spanOfMinutes(minutesFor(emails, 120));
  assert.deepEqual([1, 1_200, 100_000].map(said), ['1 minute', '10 minutes', '14 hours']);
});
