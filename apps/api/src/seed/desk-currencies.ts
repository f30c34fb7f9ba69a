/** The currencies of the demo desk in its order: every kind, and decimals from 0 to 18. */
import { banks } from './demo-banks.ts';
import { chains, others } from './demo-others.ts';
import type { DemoCurrency } from './demo-currency.ts';

export const demoCurrencies: readonly DemoCurrency[] = [...banks, ...others, ...chains].map(
  ({ draft, reserve }, at) => ({ reserve, draft: { ...draft, position: (at + 1) * 10 } }),
);
