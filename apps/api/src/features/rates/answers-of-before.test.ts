/** What a provider gave before this version, which did not keep the units of its answers then. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const { fakes, api, configure, setKey, run, freshHour, usual } = await startRatesDesk({ after });
const primary = fakes.openexchangerates;

async function migrate(): Promise<void> {
  const file = new URL('../../../migrations/0070_answers_of_before.sql', import.meta.url);
  const column = /^alter table rate_provider_states add column .*;$/m;
  await api.deps.sql.unsafe((await readFile(file, 'utf8')).replace(column, ''));
}

/** As the runs were kept before. */
async function forgetUnits(): Promise<void> {
  await sql`update rate_runs set attempts =
    (select jsonb_agg(attempt - 'units' order by place)
      from jsonb_array_elements(attempts) with ordinality as listed (attempt, place))`.execute(
    api.db,
  );
}

const leftOut = ({ refusals }: Json) =>
  refusals.map(({ provider, unit, reason }: Json) => `${provider} ${unit} ${reason}`);

it('is known as far as it is believed or was put aside, for a week', async () => {
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('openexchangerates', 'fixer') });
  // The coin is Fixer's alone, and the pound of the first one waits.
  primary.rates = { EUR: '0.91349', GBP: '0.78425' };
  await run();
  api.clock.advance(HOUR);
  primary.rates = { EUR: '0.91349', GBP: '1.1' };
  fakes.fixer.rates = { USD: usual.USD, BTC: usual.BTC };
  assert.equal((await run()).quarantined, 1);
  api.clock.advance(HOUR);

  await forgetUnits();
  await migrate();
  primary.rates = {};
  fakes.fixer.rates = { USD: usual.USD };
  assert.deepEqual(leftOut(await run()), [
    'openexchangerates EUR left_out',
    'openexchangerates GBP left_out',
    'fixer BTC left_out',
  ]);
  api.clock.advance(7 * DAY);
  assert.deepEqual(leftOut(await run()), []);
});
