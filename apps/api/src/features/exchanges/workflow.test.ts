import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { closedStates, doneStates, openStates } from '@cambist/contract/exchange-groups';
import { exchangeStates, type ExchangeState } from '@cambist/contract/exchanges';
import { MINUTE } from '#kernel/clock.ts';
import { guards, type Facts } from './guards.ts';
import { noRecords } from './records.ts';
import { statesPage } from '#test/states-page.ts';
import { actions, type ActionRow } from './action-table.ts';
import { allowedTo, refusalOf, rowOf, stateAfter } from './workflow.ts';

const now = new Date('2026-11-21T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * MINUTE);
const blank: Facts['exchange'] = {
  state: 'awaiting_payment',
  user_id: 'ann',
  evidence: 'proof',
  pay_by: minutes(30),
  submitted_at: null,
  undone_at: null,
  claimed_by: null,
  claimed_until: null,
  received_minor: 0n,
  approved_by: null,
  first_approved_by: null,
  payout_waits_until: null,
  complete_on_approval: false,
};

function facts(exchange: Partial<Facts['exchange']>, other: Partial<Facts> = {}): Facts {
  return {
    now,
    actorId: 'ann',
    proofCount: 0,
    permissions: ['desk'],
    records: noRecords,
    undoMinutes: 5,
    ...other,
    exchange: { ...blank, ...exchange },
  };
}

describe('the table of actions', () => {
  it('names existing guards only, and uses every guard', () => {
    const rows: readonly ActionRow[] = actions;
    const used = new Set(rows.flatMap((row) => row.guards ?? []));
    assert.deepEqual([...used].toSorted(), Object.keys(guards).toSorted());
  });

  it('has one row per action, actor and state', () => {
    const rows: readonly ActionRow[] = actions;
    const keys = rows.flatMap(({ action, who, from }) =>
      (from.length === 0 ? ['nothing'] : from).map((state) => `${action} ${who} ${state}`),
    );
    assert.equal(new Set(keys).size, keys.length);
    assert.throws(() => rowOf('expire', 'customer'), /no expire by customer/);
  });

  it('has every state in one group and allows notes in each', () => {
    const sorted = [...openStates, ...doneStates, ...closedStates].toSorted();
    assert.deepEqual(sorted, [...exchangeStates].toSorted());
    assert.deepEqual(
      [...rowOf('note', 'operator').from].toSorted(),
      [...exchangeStates].toSorted(),
    );
  });

  it('matches its documentation', () => {
    const file = resolve(import.meta.dirname, '../../../../../docs/exchange-states.md');
    const command = 'node apps/api/test/states-page.ts > docs/exchange-states.md';
    assert.equal(readFileSync(file, 'utf8'), statesPage(), `Write it anew: ${command}`);
  });

  it('refuses an action in every state that its rows do not name', () => {
    for (const row of actions as readonly ActionRow[]) {
      for (const state of exchangeStates) {
        if (row.from.includes(state)) continue;
        const refusal = refusalOf(row, facts({ state }));
        assert.equal(refusal?.status, 409, `${row.action} in ${state}`);
        assert.equal(refusal?.code, row.conflict ?? 'state_conflict');
        assert.equal(
          refusal?.message,
          `This cannot be done: the exchange is ${state.replaceAll('_', ' ')}.`,
        );
      }
    }
  });

  it('leads from every state that can be reached to an end', () => {
    const rows: readonly ActionRow[] = actions;
    const targets = (state: ExchangeState) =>
      rows
        .filter(({ from }) => from.includes(state))
        .flatMap(({ to, orTo = [] }) => [...(to === 'same' ? [] : [to]), ...orTo]);
    const reached = (start: ExchangeState) => {
      const found = new Set([start]);
      // A set grows while it is walked.
      for (const state of found) for (const next of targets(state)) found.add(next);
      return found;
    };
    const reachable = reached('awaiting_payment');
    assert.deepEqual([...reachable].toSorted(), [...exchangeStates].toSorted());
    const ends = new Set<ExchangeState>([...doneStates, ...closedStates]);
    for (const state of reachable) {
      assert.ok(!reached(state).isDisjointFrom(ends), state);
    }
    // With money received, an exchange ends paid out or paid back.
    const withMoney = new Set<ExchangeState>(['completed', 'refunded']);
    for (const state of ['payment_submitted', 'under_review', 'on_hold', 'approved'] as const) {
      assert.ok(withMoney.isSubsetOf(reached(state)), state);
    }
  });

  it('does not change the state of an action to `same`', () => {
    assert.equal(stateAfter(rowOf('note', 'operator'), 'expired'), 'expired');
    assert.equal(stateAfter(rowOf('cancel', 'customer'), 'awaiting_payment'), 'cancelled');
  });
});

describe('a customer’s actions', () => {
  const cases: [string, Facts, string[]][] = [
    ['before paying', facts({}), ['upload_proof', 'cancel', 'change_payout']],
    [
      'with a proof',
      facts({}, { proofCount: 1 }),
      ['upload_proof', 'submit', 'cancel', 'change_payout'],
    ],
    [
      'where a reference will do',
      facts({ evidence: 'either' }),
      ['upload_proof', 'submit', 'cancel', 'change_payout'],
    ],
    ['with five proofs', facts({}, { proofCount: 5 }), ['submit', 'cancel', 'change_payout']],
    [
      'at the very end of the time to pay',
      facts({ pay_by: now }, { proofCount: 1 }),
      ['cancel', 'change_payout'],
    ],
    [
      'just submitted',
      facts({ state: 'payment_submitted', submitted_at: now }),
      ['upload_proof', 'undo', 'change_payout'],
    ],
    [
      'submitted five minutes ago',
      facts({ state: 'payment_submitted', submitted_at: minutes(-5) }),
      ['upload_proof', 'change_payout'],
    ],
    [
      'submitted a second time',
      facts({ state: 'payment_submitted', submitted_at: now, undone_at: now }),
      ['upload_proof', 'change_payout'],
    ],
    [
      'submitted, with its time to pay over',
      facts({ state: 'payment_submitted', submitted_at: now, pay_by: now }),
      ['upload_proof', 'change_payout'],
    ],
    ['under review', facts({ state: 'under_review' }), ['upload_proof', 'change_payout']],
    ['approved', facts({ state: 'approved' }), ['change_payout']],
    [
      'while the payout is being sent',
      facts({ state: 'approved', claimed_by: 'bob', claimed_until: minutes(1) }),
      [],
    ],
    ['completed', facts({ state: 'completed' }), []],
  ];
  for (const [when, given, expected] of cases) {
    it(`is ${expected.join(', ') || 'nothing'} ${when}`, () => {
      assert.deepEqual(allowedTo('customer', given), expected);
    });
  }
});

describe('an operator’s actions', () => {
  const review = { state: 'under_review', claimed_by: 'bob', claimed_until: minutes(1) } as const;
  const cases: [string, Facts, string[]][] = [
    [
      'with a new submission',
      facts({ state: 'payment_submitted' }, { actorId: 'bob' }),
      ['claim', 'record_receipt', 'ask', 'note'],
    ],
    [
      'with a live claim',
      facts(review, { actorId: 'bob' }),
      ['claim', 'release', 'record_receipt', 'ask', 'approve', 'first_approve', 'reject', 'note'],
    ],
    [
      'with a live claim, once money has come',
      facts({ ...review, received_minor: 1n }, { actorId: 'bob' }),
      [
        'claim',
        'release',
        'record_receipt',
        'reverse_receipt',
        'ask',
        'approve',
        'first_approve',
        'refund',
        'note',
      ],
    ],
    ["with another's live claim", facts(review, { actorId: 'eve' }), ['record_receipt', 'note']],
    [
      "with another's lapsed claim",
      facts({ ...review, claimed_until: now }, { actorId: 'eve' }),
      ['claim', 'record_receipt', 'ask', 'note'],
    ],
    [
      'with a claim of theirs that lapsed',
      facts({ ...review, claimed_until: now }, { actorId: 'bob' }),
      ['claim', 'release', 'record_receipt', 'ask', 'note'],
    ],
    [
      'with their own exchange',
      facts({ ...review, user_id: 'bob' }, { actorId: 'bob' }),
      ['claim', 'release', 'ask', 'note'],
    ],
    [
      'with an approved one',
      facts({ state: 'approved' }, { actorId: 'bob' }),
      ['claim', 'record_receipt', 'complete', 'note'],
    ],
    [
      'with an approved one that they hold',
      facts({ ...review, state: 'approved' }, { actorId: 'bob' }),
      ['claim', 'release', 'record_receipt', 'complete', 'note'],
    ],
    [
      'with an approved one that another holds',
      facts({ ...review, state: 'approved' }, { actorId: 'eve' }),
      ['record_receipt', 'note'],
    ],
    [
      'with an approved one that another held',
      facts({ ...review, state: 'approved', claimed_until: now }, { actorId: 'eve' }),
      ['claim', 'record_receipt', 'complete', 'note'],
    ],
    [
      'with an approved one of their own',
      facts({ state: 'approved', user_id: 'bob' }, { actorId: 'bob' }),
      ['note'],
    ],
  ];
  for (const [when, given, expected] of cases) {
    it(`is ${expected.join(', ')} ${when}`, () => {
      assert.deepEqual(allowedTo('operator', given), expected);
    });
  }
});

describe('the system', () => {
  it('submits an exchange with a proof and expires one without, after the time to pay', () => {
    assert.deepEqual(allowedTo('system', facts({})), []);
    assert.deepEqual(allowedTo('system', facts({ pay_by: now })), ['expire']);
    assert.deepEqual(allowedTo('system', facts({ pay_by: now }, { proofCount: 1 })), ['submit']);
  });
});
