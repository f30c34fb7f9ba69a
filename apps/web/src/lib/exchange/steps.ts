/**
 * The steps of an exchange: three before it exists (`/preview`) and three after
 * (`/exchanges/{number}`). Pure.
 */
import type { Exchange } from '@cambist/contract/exchanges';

export const previewSteps = ['amounts', 'details', 'review'] as const;
export type PreviewStep = (typeof previewSteps)[number];

/** What is complete so far. */
export interface Progress {
  /** The amount has a price within the limits. */
  readonly priced: boolean;
  /** Every required field has a valid answer. */
  readonly answered: boolean;
  /** An order was sent and has no answer yet. */
  readonly ordered: boolean;
}

export function parseStep(value: string | null): PreviewStep {
  return previewSteps.find((step) => step === value) ?? 'amounts';
}

/**
 * The step to show when the address asks for one: never beyond what is complete, and only the
 * review while an order is pending, since other amounts could then make a second exchange.
 */
export function stepFor(asked: PreviewStep, { priced, answered, ordered }: Progress): PreviewStep {
  if (ordered) return 'review';
  if (!priced) return 'amounts';
  return asked === 'review' && !answered ? 'details' : asked;
}

/** The index of the step among all six; 6 when nothing is left to do. */
export function stepIndex({
  state,
  proofs,
  evidence,
}: Pick<Exchange, 'state' | 'proofs' | 'evidence'>): number {
  if (state === 'awaiting_payment') return proofs.length > 0 || evidence === 'reference' ? 4 : 3;
  return state === 'completed' || state === 'refunded' ? 6 : 5;
}
