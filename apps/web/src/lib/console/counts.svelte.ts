/** The numbers beside the console's navigation, refreshed while the console is open. */
import { listContactSubmissions } from '@cambist/contract/contact';
import { queueCounts } from '@cambist/contract/desk';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { getRatesStatus, type RatesStatus } from '@cambist/contract/rates';
import { createContext } from 'svelte';
import { call } from '#lib/api/client.ts';
import { orElse } from '#lib/api/or-else.ts';

export type QueueCounts = ReplyOf<typeof queueCounts>['data'];

class Count<Value> {
  /** Null when the API did not answer. */
  value: Value | null = $state.raw(null);
  readonly #read: () => Promise<Value>;

  constructor(first: Value | null, read: () => Promise<Value>) {
    this.value = first;
    this.#read = read;
  }

  /** A failure leaves the number as it was: the page itself says that the API is away. */
  readonly refresh = async (): Promise<void> => {
    this.value = (await orElse(this.#read(), null)) ?? this.value;
  };
}

interface First {
  readonly counts: QueueCounts | null;
  readonly ratesStatus: RatesStatus | null;
  readonly inbox: number | null;
}

export class ConsoleCounts {
  readonly desk: Count<QueueCounts>;
  readonly rates: Count<RatesStatus>;
  /** New messages. */
  readonly inbox: Count<number>;

  constructor(first: First) {
    this.desk = new Count(first.counts, async () => (await call(queueCounts)).data);
    this.rates = new Count(first.ratesStatus, async () => (await call(getRatesStatus)).data);
    this.inbox = new Count(first.inbox, async () => {
      const { counts } = await call(listContactSubmissions, { query: { per_page: 1 } });
      return counts.new;
    });
  }
}

export const [getCounts, setCounts] = createContext<ConsoleCounts>();
