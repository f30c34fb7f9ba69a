/** What has changed between two looks at the same exchange, for the person it surprised. Pure. */
import type { Exchange, ExchangeState } from '@cambist/contract/exchanges';

export type Change =
  | { kind: 'state'; state: ExchangeState }
  | { kind: 'proofs'; added: number }
  | { kind: 'payment_reference'; reference: string }
  /** The version rose, but nothing that is shown here is different. */
  | { kind: 'version' };

type Look = Pick<Exchange, 'version' | 'state' | 'proofs' | 'payment_reference'>;

export function changesBetween(before: Look, after: Look): Change[] {
  const changes: Change[] = [];
  if (after.state !== before.state) changes.push({ kind: 'state', state: after.state });
  const known = new Set(before.proofs.map(({ id }) => id));
  const added = after.proofs.filter(({ id }) => !known.has(id)).length;
  if (added > 0) changes.push({ kind: 'proofs', added });
  if (after.payment_reference !== null && after.payment_reference !== before.payment_reference) {
    changes.push({ kind: 'payment_reference', reference: after.payment_reference });
  }
  if (changes.length === 0 && after.version !== before.version) changes.push({ kind: 'version' });
  return changes;
}

/**
 * Whether what the stream told is worth a look. The same version is: a proof
 * leaves it as it is, since nobody's decision is overtaken by one.
 */
export function isNews(told: number | undefined, shown: Pick<Exchange, 'version'>): boolean {
  return told === undefined || told >= shown.version;
}

/** Whether a proof that was being sent has arrived although its answer was lost. */
export function arrivedProof(
  before: Pick<Exchange, 'proofs'>,
  after: Pick<Exchange, 'proofs'>,
  sizeBytes: number,
): boolean {
  const known = new Set(before.proofs.map(({ id }) => id));
  return after.proofs.some(({ id, size_bytes }) => !known.has(id) && size_bytes === sizeBytes);
}
