import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { apart } from '@cambist/markup/direction';
import { standInMessages } from '#lib/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { alreadyDecided, attemptTold, firstUnits, noneRefused, sameRun } =
  await import('./words.ts');

describe('a rate that was decided on before', () => {
  it('is told with the word and whose it was', () => {
    const by = { decided_by: 'Robin Okafor' };
    const told = (['accepted', 'refused'] as const).map((decision) =>
      alreadyDecided({ ...by, decision }),
    );
    assert.deepEqual(told, [
      `sync_already_accepted ${apart('Robin Okafor')}`,
      `sync_already_refused ${apart('Robin Okafor')}`,
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
    assert.equal(noneRefused([no, no]), `sync_refuse_all_already ${apart('Robin Okafor')}`);
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
