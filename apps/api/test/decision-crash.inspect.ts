import { after, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { killRounds } from './decision-crash.ts';
import { startTestDesk } from './factories/exchange.ts';

const { api, admin } = await startTestDesk({ after }, {}, { patient: true });
const timeout = 20 * MINUTE;

it('30 kills between decisions lose nothing that was acknowledged', { timeout }, async () => {
  await killRounds(api, admin, 30);
});
