/** What a run makes of each kind of a provider's answer, as admins see it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/factories/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, freshHour, usual } = desk;
const { fixer, openexchangerates } = fakes;

async function withAnother(): Promise<void> {
  await setKey('openexchangerates');
  await configure({ providers: listed('fixer', 'openexchangerates') });
}

interface Case {
  readonly name: string;
  given(): void | Promise<void>;
  /** The outcome of the run, then of each provider. */
  readonly outcomes: string;
  /** The first failure's or rejection's sentence. */
  readonly message?: RegExp;
  readonly question?: string;
  readonly missing?: readonly string[];
  /** The accepted rate of dollars and where it is from; by default the one of before. */
  readonly rate?: string;
}

const ALL = ['BTC', 'EUR', 'GBP', 'USD'];

const cases: readonly Case[] = [
  {
    name: 'a good rate',
    given: () => void (fixer.rates['USD'] = '1.1'),
    outcomes: 'updated: fixer ok',
    rate: '1.1 fixer',
  },
  {
    name: 'a rate times 1000',
    given: () => void (fixer.rates['USD'] = '1094.7'),
    outcomes: 'partial: fixer ok',
    question: 'USD 1.0947 → 1094.7 (99900 %) jump',
    missing: ['USD'],
  },
  {
    name: 'a slow drift',
    async given() {
      for (const rate of ['1.18', '1.28', '1.38']) {
        fixer.rates['USD'] = rate;
        await run();
        api.clock.advance(HOUR);
      }
      fixer.rates['USD'] = '1.48';
    },
    outcomes: 'partial: fixer ok',
    question: 'USD 1.0947 → 1.48 (35.196857 %) drift',
    missing: ['USD'],
    rate: '1.38 fixer',
  },
  {
    name: 'a negative rate',
    given: () => void (fixer.rates['USD'] = '-1.1'),
    outcomes: 'partial: fixer ok',
    message: /^Fixer gave -1\.1 for USD\.$/,
    missing: ['USD'],
  },
  {
    name: 'NaN, which is no JSON',
    given: () => void (fixer.rates['USD'] = 'NaN'),
    outcomes: 'failed: fixer malformed',
    message: /^Fixer gave an answer that does not match its documentation\..*not JSON/,
    missing: ALL,
  },
  {
    name: 'rates older than the last ones',
    given: () => void (fixer.asOf = new Date(api.clock.now().getTime() - HOUR - 2 * MINUTE)),
    outcomes: 'failed: fixer ok',
    message: /from Fixer .* older than its last one/,
    missing: ALL,
  },
  {
    name: 'a key that is refused',
    given: () => void (fixer.mood = { error: 'invalid_key' }),
    outcomes: 'failed: fixer invalid_key',
    message: /^Fixer did not accept the key\. You have not supplied a valid/,
    missing: ALL,
  },
  {
    name: 'a missing unit, which the next provider fills in',
    async given() {
      await withAnother();
      delete fixer.rates['GBP'];
      fixer.rates['USD'] = '1.1';
    },
    outcomes: 'updated: fixer ok, openexchangerates ok',
    rate: '1.1 fixer',
  },
  {
    name: 'a provider that is down, which the next one replaces',
    async given() {
      await withAnother();
      fixer.mood = 'reset';
    },
    outcomes: 'partial: fixer unavailable, openexchangerates ok',
    message: /^Fixer could not be reached or is out of order\. It could not be reached \(\w+\)\.$/,
    rate: '0.913492 openexchangerates',
  },
  {
    name: 'two providers that disagree: the first one wins',
    async given() {
      await withAnother();
      openexchangerates.rates['EUR'] = '0.8';
    },
    outcomes: 'updated: fixer ok',
  },
];

describe('an admin sees of', () => {
  for (const { name, given, outcomes, message, question, missing = [], rate } of cases) {
    it(name, async () => {
      await freshHour();
      await given();
      const { outcome, attempts, rejections, ...done } = await run();
      const asked = attempts.map(({ provider, outcome: own }: Json) => `${provider} ${own}`);
      assert.equal(`${outcome}: ${asked.join(', ')}`, outcomes);
      assert.deepEqual(done.missing, missing);
      const failure = attempts.find(({ outcome: own }: Json) => own !== 'ok');
      const first = failure ? `${failure.message} ${failure.detail}` : rejections[0]?.message;
      if (message) assert.match(first, message);
      else assert.equal(first, undefined);
      const questions = (await admin.get('/api/admin/rates/quarantine')).body.data.map(
        (each: Json) =>
          `${each.unit} ${each.previous_rate} → ${each.rate} (${each.change_percent} %) ${each.reason}`,
      );
      assert.deepEqual(questions, question ? [question] : []);
      // With another provider's base euros are measured in dollars.
      const found = (await overview()).rates.find(
        ({ unit, base }: Json) => [unit, base].includes('USD') && [unit, base].includes('EUR'),
      );
      assert.equal(`${found.rate} ${found.provider}`, rate ?? '1.0947 fixer');
    });
  }

  it('the last accepted rate that it gets stale while no run replaces it', async () => {
    await freshHour();
    fixer.mood = 'reset';
    const states = [];
    for (const minutes of [0, 31, 90]) {
      api.clock.advance(minutes * MINUTE);
      await run();
      states.push((await desk.accepted('USD')).state);
    }
    assert.deepEqual(states, ['live', 'delayed', 'stale']);
    assert.equal((await desk.accepted('USD')).rate, usual.USD);
  });
});
