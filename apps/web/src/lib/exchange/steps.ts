/**
 * The way of an exchange: three steps before it exists (`/preview`) and three
 * after (`/exchanges/{number}`). Pure.
 */
import type { Exchange } from '@cambist/contract/exchanges';

export const previewSteps = ['amounts', 'details', 'review'] as const;
export type PreviewStep = (typeof previewSteps)[number];

/** What has been settled so far; each step stands on those before it. */
export interface Progress {
  /** The amount has a price within the limits. */
  readonly priced: boolean;
  /** Every field that the pair asks for has a fitting answer. */
  readonly answered: boolean;
  /** An order was sent whose answer has not been heard. */
  readonly ordered: boolean;
}

export function parseStep(value: string | null): PreviewStep {
  return previewSteps.find((step) => step === value) ?? 'amounts';
}

/**
 * The step to show when `asked` stands in the address: never beyond what has
 * been settled, and nothing but the review while an order is unanswered, since
 * other amounts could then become a second exchange.
 */
export function stepFor(asked: PreviewStep, { priced, answered, ordered }: Progress): PreviewStep {
  if (ordered) return 'review';
  if (!priced) return 'amounts';
  return asked === 'review' && !answered ? 'details' : asked;
}

/** The index of an exchange's step among all six; 6 when nothing is left to do. */
export function stepIndex({
  state,
  proofs,
  evidence,
}: Pick<Exchange, 'state' | 'proofs' | 'evidence'>): number {
  if (state === 'awaiting_payment') return proofs.length > 0 || evidence === 'reference' ? 4 : 3;
  return state === 'completed' || state === 'refunded' ? 6 : 5;
}
