/** Numbered pages of a list, as the contract's `Page` has them. */

export interface PageQuery {
  readonly page?: number;
  readonly per_page?: number;
}

export interface PageWindow {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const PER_PAGE = 20;

export function pageWindow({ page = 1, per_page = PER_PAGE }: PageQuery): PageWindow {
  return { page, limit: per_page, offset: (page - 1) * per_page };
}

/** The envelope's `links` and `meta`. `filters` go into the links beside the page. */
export function pageEnvelope(
  { page, limit, offset }: PageWindow,
  list: { readonly total: number; readonly shown: number; readonly path: string },
  filters: Readonly<Record<string, string | undefined>> = {},
) {
  const { total, shown, path } = list;
  const last = Math.max(1, Math.ceil(total / limit));
  const link = (number: number) => {
    const words = new URLSearchParams({ page: String(number), per_page: String(limit) });
    for (const [name, value] of Object.entries(filters)) if (value) words.set(name, value);
    return `${path}?${words}`;
  };
  return {
    links: {
      first: link(1),
      last: link(last),
      prev: page > 1 ? link(page - 1) : null,
      next: page < last ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: shown > 0 ? offset + 1 : null,
      last_page: last,
      path,
      per_page: limit,
      to: shown > 0 ? offset + shown : null,
      total,
    },
  };
}
