/** How many rates need an admin: a count for the console's navigation. */
import { getRatesStatus, type RatesStatus } from '@cambist/contract/rates';
import { createContext } from 'svelte';
import { ApiError, call } from '#lib/api/client.ts';

export class RatesCount {
  /** Null when the API could not tell. */
  value = $state.raw<RatesStatus | null>(null);

  constructor(first: RatesStatus | null) {
    this.value = first;
  }

  /** A failure leaves the count as it was: the page of the rates itself says that the API is away. */
  readonly refresh = async (): Promise<void> => {
    try {
      this.value = (await call(getRatesStatus)).data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
}

export const [getRatesCount, setRatesCount] = createContext<RatesCount>();
