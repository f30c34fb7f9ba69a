/** Each provider through whole runs: its success is believed, and none of its errors costs a rate. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  freePlans,
  keyedProviders,
  rateFailures,
  rateProviders,
} from '@cambist/contract/rate-settings';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { documentedErrors } from '#test/rate-provider-errors.ts';
import type { Mood } from '#test/rate-providers.ts';
import { startRatesDesk } from '#test/rates.ts';
import { wordsOfThen } from './attempt.ts';
import { providers } from './providers.ts';

const { fakes, api, configure, setKey, run, overview } = await startRatesDesk({ after });

const broken: readonly Mood[] = [
  'html',
  'truncated',
  'huge',
  'huge-unpacked',
  'reset',
  'broken-off',
  { redirect: fakes.trap.url },
  { wellWith: 503 },
  { body: '' },
  { body: 'null' },
  { body: '[]' },
  { body: '{"rates":{}}' },
];

const withoutTimes = ({ rates }: Json) =>
  rates.map(({ age_minutes: _age, note: _note, state: _state, ...rate }: Json) => rate);

for (const name of rateProviders) {
  describe(name, () => {
    it('is believed when all is well, in one request', async () => {
      const { feed, requests } = freePlans[name];
      await configure({ providers: [{ name, feed, monthly_quota: requests, cadence_hours: 1 }] });
      if (keyedProviders.includes(name)) await setKey(name);
      const before = fakes[name].requests.length;
      const { attempts, accepted, refusals } = await run();
      assert.deepEqual([attempts[0].outcome, refusals], ['ok', []], JSON.stringify(attempts));
      assert.ok(accepted > 0);
      assert.equal(fakes[name].requests.length, before + 1);
      const [note] = (await overview()).providers;
      assert.equal(note.quota.enough, requests === null || requests >= 744);
    });

    it('loses the desk no rate by any error, and shows which it was', async () => {
      const good = withoutTimes(await overview());
      assert.ok(good.length > 0);
      const errors = Object.keys(documentedErrors[name]).map((error): Mood => ({ error }));
      for (const mood of [...errors, ...broken]) {
        fakes[name].mood = mood;
        await api.db.deleteFrom('rate_provider_states').execute();
        api.clock.advance(MINUTE);
        const { outcome, attempts, accepted } = await run();
        const said = JSON.stringify([mood, attempts]);
        assert.deepEqual([outcome, accepted], ['failed', 0], said);
        assert.ok(rateFailures.includes(attempts[0].outcome), said);
        assert.ok(attempts[0].message.includes(providers[name].label), said);
        const now = await overview();
        assert.deepEqual(withoutTimes(now), good, said);
        assert.equal(now.rates[0].note, wordsOfThen(attempts[0], api.clock.now()));
      }
      assert.equal(fakes.trap.hits, 0);
    });
  });
}
