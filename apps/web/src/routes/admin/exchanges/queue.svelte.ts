/** The list of one queue as this operator has it: loaded, refreshed and continued. */
import { listDeskExchanges, type DeskExchange } from '@cambist/contract/desk';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { createContext } from 'svelte';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import {
  deskPath,
  mostPerRequest,
  rowsPerPage,
  type DeskFilters,
  type QueueName,
} from './queue-name.ts';
import { afterRefresh, withMore, type Listed } from './queue-order.ts';

type Answer = ReplyOf<typeof listDeskExchanges>;

export class Queue {
  readonly name: QueueName;
  readonly search: string;
  readonly filters: DeskFilters;
  list = $state.raw<Listed<DeskExchange>>({ rows: [], cursor: null });
  /** More customers fit the search than were looked for. */
  cut = $state(false);
  /** How many fit, counted to 1,000; null where nothing narrows the queue. */
  total = $state<number | null>(null);
  loadingMore = $state(false);
  failure = $state.raw<Failure | null>(null);

  constructor(
    { queue, search, filters }: { queue: QueueName; search: string; filters: DeskFilters },
    first: Answer,
  ) {
    this.name = queue;
    this.search = search;
    this.filters = filters;
    this.list = listed(first);
    this.cut = first.meta.search_cut;
    this.total = first.meta.total;
  }

  get query() {
    const { name: queue, search, filters } = this;
    return { queue, ...filters, ...(search ? { search } : {}) };
  }

  /** The address of an exchange, or of a list, with the same search and filters. */
  path(number: string | null, queue: QueueName = this.name): string {
    return deskPath(number, queue, this.search, this.filters);
  }

  /** Asks for what is shown again. Rows keep their keys, so the scroll keeps its place. */
  readonly refresh = async (): Promise<void> => {
    const asked = Math.min(mostPerRequest, Math.max(rowsPerPage, this.list.rows.length));
    await this.#ask({ per_page: asked }, (fresh) => afterRefresh(this.list, fresh, asked));
  };

  readonly more = async (): Promise<void> => {
    const { cursor } = this.list;
    if (cursor === null || this.loadingMore) return;
    this.loadingMore = true;
    await this.#ask({ per_page: rowsPerPage, cursor }, (next) => withMore(this.list, next));
    this.loadingMore = false;
  };

  async #ask(
    page: { per_page: number; cursor?: string },
    join: (answer: Listed<DeskExchange>) => Listed<DeskExchange>,
  ): Promise<void> {
    try {
      const answer = await call(listDeskExchanges, { query: { ...this.query, ...page } });
      this.list = join(listed(answer));
      this.cut = answer.meta.search_cut;
      if (page.cursor === undefined) this.total = answer.meta.total;
      this.failure = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
    }
  }
}

function listed({ data, meta }: Answer): Listed<DeskExchange> {
  return { rows: data, cursor: meta.next_cursor };
}

/** What the open exchange needs of the queue around it. */
export interface Desk {
  /** The queue and its counts, after something was done. */
  refresh(): Promise<void>;
  /** Calls back soon after any exchange has changed, whoever changed it; returns what ends that. */
  watch(changed: () => unknown): () => void;
  goNext(): void;
  readonly hasNext: boolean;
  /** Keeps queue and search in the address of another exchange. */
  path(number: string): string;
  readonly listPath: string;
}

export const [getDesk, setDesk] = createContext<Desk>();
