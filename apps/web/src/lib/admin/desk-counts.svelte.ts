/** How much waits in each queue: one question for the navigation, the tabs and the first page. */
import type { ReplyOf } from '@cambist/contract/endpoint';
import { queueCounts } from '@cambist/contract/desk';
import { createContext } from 'svelte';
import { ApiError, call } from '#lib/api/client.ts';

export type QueueCounts = ReplyOf<typeof queueCounts>['data'];

export class DeskCounts {
  /** Null when the API could not tell. */
  value = $state.raw<QueueCounts | null>(null);

  constructor(first: QueueCounts | null) {
    this.value = first;
  }

  /** A failure keeps the counts as they were: the lists themselves say that the API is away. */
  readonly refresh = async (): Promise<void> => {
    try {
      this.value = (await call(queueCounts)).data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
}

export const [getDeskCounts, setDeskCounts] = createContext<DeskCounts>();
