/** For each kind of a provider's answer, the data that admins get. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/factories/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, pair, freshHour, usual } = desk;
const { fixer, openexchangerates } = fakes;
const ago = (ms: number) => new Date(api.clock.now().getTime() - ms);

interface Seen {
  /** Of the run. */
  readonly outcome: string;
  /** `fixer ok`, one for each provider of the run. */
  readonly attempts: readonly string[];
  /** Sentences about providers that failed, and about rejected rates of dollars and pounds. */
  readonly messages?: readonly RegExp[];
  /** `USD 1.0947 → 1094.7 (99900 %) jump` */
  readonly questions?: readonly string[];
  readonly missing?: readonly string[];
  /** The accepted rate of dollars, where it is from, and its state. */
  readonly rate: readonly [string, string, string];
}

interface Case {
  readonly name: string;
  given(): void | Promise<void>;
  readonly seen: Seen;
}

const OLD = ['1.0947', 'fixer', 'live'] as const;
const ALL = ['BTC', 'EUR', 'GBP', 'USD'];
const failedRun = { outcome: 'failed', rate: OLD, missing: ALL } as const;
const rejectedRun = {
  outcome: 'partial',
  attempts: ['fixer ok'],
  rate: OLD,
  missing: ['USD'],
} as const;

const cases: readonly Case[] = [
  {
    name: 'a good rate',
    given: () => void (fixer.rates['USD'] = '1.1'),
    seen: { outcome: 'updated', attempts: ['fixer ok'], rate: ['1.1', 'fixer', 'live'] },
  },
  {
    name: 'a rate times 1000',
    given: () => void (fixer.rates['USD'] = '1094.7'),
    seen: {
      ...rejectedRun,
      questions: ['USD 1.0947 → 1094.7 (99900 %) jump'],
    },
  },
  ...(
    [
      ['zero', '0', /^Fixer gave 0 for USD\.$/],
      ['a negative rate', '-1.1', /^Fixer gave -1\.1 for USD\.$/],
      ['NaN as a text', '"NaN"', /^Fixer gave "NaN" for USD\.$/],
    ] as const
  ).map(([name, rate, message]) => ({
    name,
    given: () => void (fixer.rates['USD'] = rate),
    seen: { ...rejectedRun, messages: [message] },
  })),
  {
    name: 'NaN, which is no JSON',
    given: () => void (fixer.rates['USD'] = 'NaN'),
    seen: {
      ...failedRun,
      attempts: ['fixer malformed'],
      messages: [/^Fixer gave an answer that does not match its documentation\..*not JSON/],
    },
  },
  {
    name: 'HTML instead of JSON',
    given: () => void (fixer.mood = 'html'),
    seen: {
      ...failedRun,
      attempts: ['fixer malformed'],
      messages: [
        /does not match its documentation\. It answered 200 with a page \(HTML\) instead of JSON\.$/,
      ],
    },
  },
  {
    name: 'rates older than the last ones',
    given: () => void (fixer.asOf = ago(HOUR + 2 * MINUTE)),
    seen: {
      outcome: 'failed',
      attempts: ['fixer ok'],
      messages: [
        /GBP from Fixer .* older than its last one/,
        /USD from Fixer .* older than its last one/,
      ],
      missing: ALL,
      rate: OLD,
    },
  },
  {
    name: 'rates from the future',
    given: () => void (fixer.asOf = ago(-DAY)),
    seen: {
      outcome: 'failed',
      attempts: ['fixer ok'],
      messages: [/GBP ahead/, /USD ahead/],
      missing: ALL,
      rate: OLD,
    },
  },
  {
    name: 'a jump of a fifth',
    given: () => void (fixer.rates['USD'] = '1.31364'),
    seen: { ...rejectedRun, questions: ['USD 1.0947 → 1.31364 (20 %) jump'] },
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
    seen: {
      ...rejectedRun,
      questions: ['USD 1.0947 → 1.48 (35.196857 %) drift'],
      rate: ['1.38', 'fixer', 'live'],
    },
  },
  {
    name: 'a provider that is down',
    given: () => void (fixer.mood = 'reset'),
    seen: {
      ...failedRun,
      attempts: ['fixer unavailable'],
      messages: [
        /^Fixer could not be reached or is out of order\. It could not be reached \(\w+\)\.$/,
      ],
    },
  },
  {
    name: 'a key that is refused',
    given: () => void (fixer.mood = { error: 'invalid_key' }),
    seen: {
      ...failedRun,
      attempts: ['fixer invalid_key'],
      messages: [/^Fixer did not accept the key\. You have not supplied a valid/],
    },
  },
  {
    name: 'a quota that is used up',
    given: () => void (fixer.mood = { error: 'quota' }),
    seen: {
      ...failedRun,
      attempts: ['fixer quota_exceeded'],
      messages: [/^The requests that the plan with Fixer allows are used up\./],
    },
  },
  {
    name: 'a missing unit, which the next provider fills in',
    async given() {
      await setKey('openexchangerates');
      await configure({ providers: listed('fixer', 'openexchangerates') });
      delete fixer.rates['GBP'];
      fixer.rates['USD'] = '1.1';
    },
    seen: {
      outcome: 'updated',
      attempts: ['fixer ok', 'openexchangerates ok'],
      rate: ['1.1', 'fixer', 'live'],
    },
  },
  {
    name: 'two providers, of which the first is down',
    async given() {
      await setKey('openexchangerates');
      await configure({ providers: listed('fixer', 'openexchangerates') });
      fixer.mood = 'reset';
    },
    seen: {
      outcome: 'partial',
      attempts: ['fixer unavailable', 'openexchangerates ok'],
      messages: [/^Fixer could not be reached/],
      rate: ['0.913492', 'openexchangerates', 'live'],
    },
  },
  {
    name: 'two providers that disagree: the first one wins',
    async given() {
      await setKey('openexchangerates');
      await configure({ providers: listed('fixer', 'openexchangerates') });
      openexchangerates.rates['EUR'] = '0.8';
    },
    seen: { outcome: 'updated', attempts: ['fixer ok'], rate: OLD },
  },
];

async function see(): Promise<Seen> {
  const done = await run();
  const [now, quarantine] = [
    await overview(),
    (await admin.get('/api/admin/rates/quarantine')).body,
  ];
  // With another provider's base euros are measured in dollars.
  const rate = now.rates.find(
    ({ unit, base }: Json) => [unit, base].includes('USD') && [unit, base].includes('EUR'),
  );
  const failures = done.attempts.filter(({ outcome }: Json) => outcome !== 'ok');
  const rejections = done.rejections.filter(({ unit }: Json) => ['USD', 'GBP'].includes(unit));
  return {
    outcome: done.outcome,
    attempts: done.attempts.map(({ provider, outcome }: Json) => `${provider} ${outcome}`),
    messages: [
      ...failures.map(({ message, detail }: Json) => `${message} ${detail}`),
      ...rejections.map(({ message }: Json) => message),
    ],
    questions: quarantine.data.map(
      (each: Json) =>
        `${each.unit} ${each.previous_rate} → ${each.rate} (${each.change_percent} %) ${each.reason}`,
    ),
    missing: done.missing,
    rate: [rate.rate, rate.provider, rate.state],
  };
}

describe('an admin sees of', () => {
  for (const { name, given, seen } of cases) {
    it(name, async () => {
      await freshHour();
      await given();
      const { messages = [], ...found } = await see();
      const { messages: expected = [], ...rest } = seen;
      assert.deepEqual(found, { questions: [], missing: [], ...rest });
      assert.equal(messages.length, expected.length, messages.join('\n'));
      for (const [index, pattern] of expected.entries())
        assert.match(String(messages[index]), pattern);
    });
  }

  it('a manual pair that no provider touches it', async () => {
    await freshHour();
    fixer.rates['USD'] = '1.1';
    await run();
    const { mid_rate, mid_source } = await pair('usd-to-eur');
    assert.deepEqual([mid_rate, mid_source], ['0.900000000000000000', 'manual']);
    assert.equal((await pair('eur-to-usd')).mid_rate, '1.100000000000000000');
  });

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
