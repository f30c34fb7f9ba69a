/** How many messages nobody has looked into: a count for the console's navigation. */
import { listContactSubmissions } from '@cambist/contract/contact';
import { ApiError, call } from '#lib/api/client.ts';

export class InboxCount {
  /** Null when the API could not tell. */
  value = $state.raw<number | null>(null);

  constructor(first: number | null) {
    this.value = first;
  }

  /** A failure keeps the count as it was: the inbox itself says that the API is away. */
  readonly refresh = async (): Promise<void> => {
    try {
      const { counts } = await call(listContactSubmissions, { query: { per_page: 1 } });
      this.value = counts.new;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
}
