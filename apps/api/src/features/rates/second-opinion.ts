/**
 * Asks one more provider about the rates that will wait for an admin, where nobody else has told them:
 * one request a run for all of them, and each provider once for a question. What it says is shown beside
 * the question and judged nowhere, so a jump makes no fall-back's other figures contradict the run's.
 */
import { rateKeyName } from '@cambist/contract/rate-settings';
import type { AttemptJson } from '#platform/rate-tables.ts';
import { distinct, takeTurn, type Asked, type AskDeps, type Plan, type State } from './asking.ts';
import { judge } from './judge.ts';
import type { Heard, Jump } from './law.ts';
import { opinionsOn, wordsOf } from './opinions.ts';
import { keyTimes } from './provider-key.ts';
import { blankState, usedIn } from './provider-state.ts';
import { providers } from './providers.ts';
import { secondWords } from './words.ts';

export interface SecondOpinion {
  readonly heard: readonly Heard[];
  readonly attempts: readonly AttemptJson[];
  readonly states: readonly State[];
}

const NOBODY: SecondOpinion = { heard: [], attempts: [], states: [] };

export async function askSecondOpinion(
  deps: AskDeps,
  plan: Plan,
  asked: Asked,
): Promise<SecondOpinion> {
  const { settings, law, patience, states } = plan;
  const lacks = lacking(plan, asked);
  const end = law.now.getTime() + patience.runMs;
  const keys = await keyTimes(deps);
  for (const { name, feed, ...rule } of distinct(settings.providers)) {
    const before = { ...(states.get(name) ?? blankState), provider: name };
    const isSpent = rule.monthly_quota !== null && usedIn(before, law.now) >= rule.monthly_quota;
    if (!lacks(name) || isSpent || plan.signal.aborted) continue;
    const { attempt, rates, state } = await takeTurn(deps, plan, providers[name], {
      keySetAt: keys.get(rateKeyName(name)) ?? null,
      timeoutMs: Math.min(patience.requestMs, end - deps.clock().getTime()),
      rule: { cadence: rule.cadence_hours, plan: rule.monthly_quota },
    });
    if (state === null) continue;
    const { label } = providers[name];
    if (rates === null) return { ...NOBODY, attempts: [attempt], states: [state] };
    const { month, requests } = state;
    return {
      heard: [{ provider: name, label, feed, rates, heardAt: law.now }],
      attempts: [{ ...attempt, message: secondWords(label, rates.length) }],
      // It works, and was no turn: nothing that it said is believed, so its next one brings it.
      states: [{ ...before, month, requests, failures: 0, open_until: null, retry_at: null }],
    };
  }
  return NOBODY;
}

/** Who might tell a rate that waits, of which no other has given a figure: not who was asked before. */
function lacking({ law, waiting }: Plan, asked: Asked): (name: string) => boolean {
  const { jumps } = judge(asked.heard, { ...law, silent: asked.silent });
  const words = wordsOf(law, asked);
  const open = jumps.map((jump: Jump) => ({
    jump,
    opinions: opinionsOn(
      jump,
      words,
      waiting.find(({ unit }) => unit === jump.unit),
    ),
  }));
  const untold = open.filter(({ opinions }) => opinions.every(({ rate }) => rate === null));
  const isTried = (name: string) => asked.attempts.some(({ provider }) => provider === name);
  return (name) =>
    !isTried(name) &&
    untold.some(
      ({ jump, opinions }) =>
        jump.provider !== name &&
        !opinions.some(({ provider, answered }) => provider === name && answered),
    );
}
