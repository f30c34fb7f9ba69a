/** Pure: what a run came to, in a line, and what that line has no room for. */
import type { RateRun } from '@cambist/contract/rates';
import { m } from '#lib/paraglide/messages.js';
import { MOST_NAMED, someOf } from './words.ts';

type Told = Pick<RateRun, 'accepted' | 'quarantined' | 'refused' | 'refusals' | 'missing'>;

/** `unnamed`: all that are missing, where the line does not name each. */
export function runTold({ accepted, quarantined, refused, refusals, missing: lacking }: Told): {
  readonly line: string;
  readonly unnamed: readonly string[];
} {
  const isLeftOut = ({ reason }: Told['refusals'][number]) => reason === 'left_out';
  const leftOut = new Set(refusals.filter(isLeftOut).map(({ unit }) => unit));
  // Of nobody: what somebody left out is counted by itself.
  const missing = lacking.filter((unit) => !leftOut.has(unit));
  const units = someOf(missing, MOST_NAMED);
  const line = [
    m.sync_run_accepted({ count: accepted }),
    ...(quarantined > 0 ? [m.sync_run_quarantined({ count: quarantined })] : []),
    ...(refused > 0 ? [m.sync_run_refused({ count: refused })] : []),
    ...leftOutTold(leftOut, lacking),
    ...(missing.length > 0 ? [m.sync_run_missing({ count: missing.length, units })] : []),
  ].join(', ');
  return { line, unnamed: units === missing.join(', ') ? [] : missing };
}

/** Those that pairs need make the run no better than partial, however many there are beside them. */
function leftOutTold(leftOut: ReadonlySet<string>, lacking: readonly string[]): string[] {
  if (leftOut.size === 0) return [];
  const count = leftOut.size;
  const needed = someOf(
    lacking.filter((unit) => leftOut.has(unit)),
    MOST_NAMED,
  );
  return [
    needed === ''
      ? m.sync_run_left_out({ count })
      : m.sync_run_left_out_needed({ count, units: needed }),
  ];
}
