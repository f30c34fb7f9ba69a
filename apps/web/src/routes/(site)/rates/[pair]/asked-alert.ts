/** The values of the alert form, kept in the query during sign-in. Pure. */
import { alertDirections, type AlertDirection } from '@cambist/contract/alerts';

export interface AskedAlert {
  readonly direction: AlertDirection;
  /** As typed. */
  readonly target: string;
}

/** A form or a query. */
interface Fields {
  get(name: string): unknown;
}

/** Longer than any rate. */
const longest = 60;

/** Null without values. */
export function askedIn(fields: Fields): AskedAlert | null {
  const target = fields.get('target');
  if (typeof target !== 'string') return null;
  return {
    direction: alertDirections.find((each) => each === fields.get('direction')) ?? 'at_least',
    target: target.trim().slice(0, longest),
  };
}

/** The pair's page with these values. */
export function pathWith(pair: string, { direction, target }: AskedAlert): string {
  return `/rates/${pair}?${new URLSearchParams({ direction, target })}#alert`;
}
