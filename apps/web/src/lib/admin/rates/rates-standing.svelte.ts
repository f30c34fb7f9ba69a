/** How many rates want an admin: a count for the console's navigation. */
import { getRatesStanding, type RatesStanding } from '@cambist/contract/rates-standing';
import { createContext } from 'svelte';
import { ApiError, call } from '#lib/api.ts';

export class Standing {
  /** Null when the API could not tell. */
  value = $state.raw<RatesStanding | null>(null);

  constructor(first: RatesStanding | null) {
    this.value = first;
  }

  /** A failure keeps the count as it was: the page of the rates itself says that the API is away. */
  readonly refresh = async (): Promise<void> => {
    try {
      this.value = (await call(getRatesStanding)).data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
}

export const [getStanding, setStanding] = createContext<Standing>();
