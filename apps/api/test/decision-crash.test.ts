import { after, it } from 'node:test';
import { killRounds } from './decision-crash.ts';
import { startTestDesk } from './factories/exchange.ts';

const { api, admin } = await startTestDesk({ after }, {}, { patient: true });

it('a kill -9 between two decisions loses nothing that was acknowledged', async () => {
  await killRounds(api, admin, 2);
});
