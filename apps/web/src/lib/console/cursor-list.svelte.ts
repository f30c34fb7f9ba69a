/** A list that is read page by page: what is loaded, and the way to more of it. */
import { ApiError, type Failure } from '#lib/api/client.ts';

export interface CursorPage<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null };
}

export class CursorList<Row> {
  rows: readonly Row[] = $state.raw([]);
  /** Null at the end. */
  cursor = $state.raw<string | null>(null);
  loading = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly #ask: (cursor: string) => Promise<CursorPage<Row>>;

  constructor(first: CursorPage<Row>, ask: (cursor: string) => Promise<CursorPage<Row>>) {
    this.rows = first.data;
    this.cursor = first.meta.next_cursor;
    this.#ask = ask;
  }

  readonly more = async (): Promise<void> => {
    if (this.cursor === null || this.loading) return;
    this.loading = true;
    this.failure = null;
    try {
      const page = await this.#ask(this.cursor);
      this.rows = [...this.rows, ...page.data];
      this.cursor = page.meta.next_cursor;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
    } finally {
      this.loading = false;
    }
  };
}
