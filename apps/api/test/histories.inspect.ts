/** Thousands of random acts; `npm test` runs a sample of them. */
import { after, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { startTestDesk } from './factories/exchange.ts';
import { runHistories } from './histories.ts';

const { api, admin } = await startTestDesk({ after }, { min_send: '1', evidence: 'either' });
const { client: second } = await api.asAdmin();
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const timeout = 45 * MINUTE;

it(`150 histories keep the books right (SEED=${seed})`, { timeout }, async () => {
  await runHistories(api, [admin, second], { runs: 150, length: 200, seed });
});
