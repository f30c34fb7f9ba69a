/** What becomes of a believed rate that a second figure contradicts. */
import { exactCross, findPath } from '#features/market/market.ts';
import { isOutvoted, type Far } from './far.ts';
import { fail, type Fault } from './faults.ts';
import { putAside, refuse, unsettle, type Accepted, type Desk } from './judges-desk.ts';
import type { Heard } from './law.ts';
import type { GivenRate } from './provider.ts';

/**
 * Two say what cannot both be true: neither is believed, and what was believed before stands. Where
 * the second one has moved too far, a person is asked about it: it may be the first that stood still.
 */
export function doubt(desk: Desk, heard: Heard, given: GivenRate, far: Far | null): void {
  const { unit, base } = given;
  const against =
    desk.accepted.get(unit) ??
    [desk.accepted.get(base)].find((each) => each !== undefined && each.base === unit);
  if (against === undefined || isOutvoted(desk.law, given, heard.provider)) return;
  const inside = against.provider === heard.provider;
  const fault = inside
    ? inconsistent(desk, heard, given, against)
    : contradicted(desk, heard, against);
  unsettle(desk, against.unit);
  refuse(desk, heard, against.unit, fault);
  if (inside || !far?.previous) return;
  // A person is shown what is believed of it now; a yes speaks against what it was compared with.
  const previous = exactCross(desk.law.market, base, unit) ?? far.previous;
  putAside(desk, heard, given, {
    reason: 'contradicted',
    previous,
    former: far.previous,
    contradictedBy: against.provider,
  });
}

function contradicted({ labels }: Desk, { label }: Heard, { unit, provider }: Accepted): Fault {
  const words = `${labels.get(provider)} and ${label} differ by more than 2 % about ${unit}.`;
  return fail('contradicted', words);
}

/** Two figures of one provider may differ only over what another one says of their bases. */
function inconsistent(
  desk: Desk,
  heard: Heard,
  { unit, base }: GivenRate,
  against: Accepted,
): Fault {
  const way = findPath(desk.market, base, unit) ?? [];
  const bridge = way.find(({ rate }) => rate.provider !== heard.provider)?.rate;
  if (bridge === undefined)
    return fail(
      'inconsistent',
      `Two rates of ${against.unit} from ${heard.label} differ by more than 2 %.`,
    );
  const other = desk.labels.get(bridge.provider) ?? 'another provider';
  return fail(
    'inconsistent',
    `The rates of ${against.unit} from ${heard.label} in terms of ${base} and ${against.base} contradict the rate of ${bridge.unit} from ${other} by more than 2 %.`,
  );
}
