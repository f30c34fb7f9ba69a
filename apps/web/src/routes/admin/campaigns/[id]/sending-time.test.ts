import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standIn } from '#lib/stand-in.ts';

standIn({ '#lib/paraglide/runtime.js': `export const getLocale = () => 'en'` });
const { minutesFor, spanOfMinutes } = await import('./sending-time.ts');

it('a campaign is said to take as long as it does, below the pace that is its most', () => {
  const said = (letters: number) => spanOfMinutes(minutesFor(letters, 120));
  assert.deepEqual([1, 1_200, 100_000].map(said), ['1 minute', '12 minutes', '17 hours']);
});
