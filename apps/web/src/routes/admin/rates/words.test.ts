import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import type { RateProviderNote, RateTest } from '@cambist/contract/rates';
import { standInMessages } from '#lib/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const {
  alreadyDecided,
  attemptTold,
  firstUnits,
  isOutdated,
  nextTold,
  noneRefused,
  sameRun,
  testWords,
  unreadTest,
} = await import('./words.ts');

describe('a rate that was decided on before', () => {
  it('is told with the word and whose it was', () => {
    const by = { decided_by: 'Robin Okafor' };
    const told = (['accepted', 'refused'] as const).map((decision) =>
      alreadyDecided({ ...by, decision }),
    );
    assert.deepEqual(told, [
      'sync_already_accepted Robin Okafor',
      'sync_already_refused Robin Okafor',
    ]);
  });

  it('is only told as decided where nobody’s word stands or can be read', () => {
    const without = [
      undefined,
      { decided_by: 'Robin Okafor', decision: 'withdrawn' },
      { decided_by: null, decision: 'accepted' },
    ] as const;
    for (const rate of without) assert.equal(alreadyDecided(rate), 'sync_already_decided');
  });
});

describe('rates of which one was decided on before', () => {
  const no = { decided_by: 'Robin Okafor', decision: 'refused' } as const;

  it('are told as refused where one person has refused all', () => {
    assert.equal(noneRefused([no, no]), 'sync_refuse_all_already Robin Okafor');
  });

  it('are told as not refused now where anything else was said of one, or nothing can be read', () => {
    const others = [
      { decided_by: 'Robin Okafor', decision: 'accepted' },
      { decided_by: null, decision: null },
      { decided_by: null, decision: 'refused' },
      { decided_by: 'Ada Lam', decision: 'refused' },
    ] as const;
    for (const other of others) assert.equal(noneRefused([no, other]), 'sync_refuse_all_decided');
    assert.equal(noneRefused([]), 'sync_refuse_all_decided');
  });
});

describe('rates that wait', () => {
  it('are refused at once where a run brought several last', () => {
    const [one, other, alone, late] = ['1', '1', '2', '3'].map(
      (seen_at, id) => ({ id: String(id), seen_at }) as QuarantinedRate,
    );
    const all = [one, alone, other].filter((rate) => rate !== undefined);
    assert.deepEqual(sameRun(all), [[one, other]]);
    assert.deepEqual(sameRun([alone, late].filter((rate) => rate !== undefined)), []);
  });

  it('are named by the first of them', () => {
    const units = (...all: string[]) => firstUnits(all.map((unit) => ({ unit })));
    assert.equal(units('GBP', 'JPY', 'NGN', 'PLN'), 'GBP, JPY, NGN, PLN');
    assert.equal(units('GBP', 'JPY', 'NGN', 'PLN', 'USD'), 'sync_units_and_more GBP, JPY, NGN 2');
  });
});

describe('what became of a provider', () => {
  it('is no answer to be glad of where it gave nothing of what it was asked for', () => {
    const told = (gave_none: boolean) => {
      const { tone, word } = attemptTold({ outcome: 'ok', gave_none });
      return [tone, word()];
    };
    assert.deepEqual(told(true), ['waiting', 'sync_attempt_none']);
    assert.deepEqual(told(false), ['done', 'sync_attempt_ok']);
  });
});

describe('what becomes of a provider next', () => {
  const well = {
    key: 'set',
    breaker: { state: 'closed', failures: 0, open_until: null },
    retry_at: null,
    failing: false,
    unusable: null,
  } as const;
  const words = (changes: object, tested: RateTest['outcome'] | null = null) => {
    const { words: told, tone } = nextTold({ ...well, ...changes }, tested);
    return `${told}: ${tone}`;
  };
  const breaker = (state: string, failures: number) => ({
    breaker: { ...well.breaker, state, failures },
  });
  const refused = { key: 'refused', failing: true } as const;

  it('is well only where its last answer was', () => {
    assert.equal(words({}), 'sync_breaker_closed: done');
    assert.equal(words({ unusable: 'Fixer gave 0 for USD.' }), 'sync_breaker_unusable: waiting');
    assert.equal(words({ failing: true }), 'sync_breaker_failed: waiting');
    assert.equal(
      words({ ...breaker('closed', 2), failing: true }),
      'sync_breaker_failing 2: waiting',
    );
  });

  it('is what a test said that the page has not read yet, or that nobody remembers', () => {
    for (const [outcome, told] of [
      ['invalid_key', 'sync_breaker_key_refused'],
      ['unavailable', 'sync_breaker_test_failed'],
      ['ok', 'sync_breaker_test_unusable'],
      ['no_key', 'sync_breaker_no_use'],
    ] as const)
      assert.equal(words({}, outcome), `${told}: waiting`);
  });

  it('is one true thing where its key is refused', () => {
    assert.equal(words(refused), 'sync_breaker_key_refused: waiting');
    assert.equal(
      words({ ...refused, ...breaker('closed', 2) }),
      'sync_breaker_key_refused: waiting',
    );
    assert.equal(words({ ...refused, ...breaker('open', 3) }), 'sync_breaker_open 3: danger');
    assert.equal(
      words({ ...refused, ...breaker('half_open', 3) }),
      'sync_breaker_half_open 3: waiting',
    );
    assert.equal(words({ ...refused, retry_at: '2026-03-14T13:00:00Z' }), 'sync_pause: waiting');
    assert.equal(words({ key: 'missing' }), 'sync_breaker_no_key: waiting');
  });
});

describe('a test', () => {
  const at = '2026-03-14T12:00:00.000Z';
  const later = '2026-03-14T12:05:00.000Z';
  const test = (outcome: RateTest['outcome'], asked_at: string | null = at, ok = false) =>
    ({ ok, outcome, asked_at }) as RateTest;
  const known = (outcome: string, time = at) =>
    ({ last_answer: { at: time, outcome } }) as RateProviderNote;
  const unknown = { last_answer: null };

  it('is told until the page knows of it by itself', () => {
    assert.equal(unreadTest(null, unknown), null);
    assert.equal(unreadTest(test('ok', at, true), unknown), null);
    assert.equal(unreadTest(test('invalid_key'), unknown), 'invalid_key');
    assert.equal(unreadTest(test('invalid_key', later), known('ok')), 'invalid_key');
    assert.equal(unreadTest(test('invalid_key'), known('invalid_key')), null);
    assert.equal(unreadTest(test('ok'), known('unusable')), null);
    // Nobody was asked, and nothing was asked for.
    assert.equal(unreadTest(test('no_key', null), known('ok')), 'no_key');
    assert.equal(unreadTest(test('ok'), known('ok')), 'ok');
  });

  it('is outdated by a later answer', () => {
    assert.equal(isOutdated(test('invalid_key'), known('invalid_key')), false);
    assert.equal(isOutdated(test('invalid_key'), known('ok', later)), true);
    assert.equal(isOutdated(test('no_key', null), known('ok', later)), false);
    assert.equal(isOutdated(test('ok'), unknown), false);
  });

  it('that is remembered is told by how it came out', () => {
    const told = (['ok', 'unusable', 'invalid_key'] as const).map(testWords);
    assert.deepEqual(told, ['sync_last_test_ok', 'sync_answer_unusable', 'sync_last_test_failed']);
  });
});
