/** A list that is read page by page: what is loaded, and the way to more of it. */
import type { Endpoint } from '@cambist/contract/endpoint';
import { call } from '#lib/api/client.ts';
import { Submission } from '#lib/forms/submission.svelte.ts';

export interface CursorPage<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null };
}

export class CursorList<Row> extends Submission {
  rows: readonly Row[] = $state.raw([]);
  /** Null at the end. */
  cursor = $state.raw<string | null>(null);
  readonly #ask: (cursor: string) => Promise<CursorPage<Row>>;

  constructor(first: CursorPage<Row>, ask: (cursor: string) => Promise<CursorPage<Row>>) {
    super();
    this.rows = first.data;
    this.cursor = first.meta.next_cursor;
    this.#ask = ask;
  }

  readonly more = async (): Promise<void> => {
    const { cursor } = this;
    if (cursor === null) return;
    await this.run(async () => {
      const page = await this.#ask(cursor);
      this.rows = [...this.rows, ...page.data];
      this.cursor = page.meta.next_cursor;
    });
  };
}

/** The list of an endpoint, of which `first` answers `query`. */
export function cursorList<Row>(
  endpoint: Endpoint,
  first: CursorPage<Row>,
  query: object,
): CursorList<Row> {
  // TypeScript cannot resolve the tuple of a generic endpoint's inputs.
  const ask = call as (endpoint: Endpoint, inputs: object) => Promise<unknown>;
  return new CursorList(
    first,
    (cursor) => ask(endpoint, { query: { ...query, cursor } }) as Promise<CursorPage<Row>>,
  );
}
