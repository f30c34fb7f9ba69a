import { after, it } from 'node:test';
import { startTestDesk } from './factories/exchange.ts';
import { runHistories } from './histories.ts';

const { api, admin } = await startTestDesk({ after }, { min_send: '1', evidence: 'either' });
const { client: second } = await api.asAdmin();
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

it(`random histories keep the books right (SEED=${seed})`, async () => {
  await runHistories(api, [admin, second], { runs: 6, length: 150, seed });
});
