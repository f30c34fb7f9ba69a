/** The filters of the list of posts, as they stand in the address. Pure. */
import { postStates, type PostState } from '@cambist/contract/blog-writing';

export interface PostsQuery {
  state?: PostState;
  tag?: string;
  q?: string;
  page?: number;
}

/** The longest search that the service takes. */
export const searchLength = 100;

export function readSearch(typed: string): string {
  return typed.trim().slice(0, searchLength);
}

/** Reads the address; what makes no sense there is left out. */
export function readPostsQuery(query: URLSearchParams): PostsQuery {
  const state = postStates.find((each) => each === query.get('state'));
  const q = readSearch(query.get('q') ?? '');
  const tag = (query.get('tag') ?? '').slice(0, 40);
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return {
    ...(state ? { state } : {}),
    ...(tag === '' ? {} : { tag }),
    ...(q === '' ? {} : { q }),
    ...(page > 1 ? { page } : {}),
  };
}

export function postsPath({ state, tag, q, page }: PostsQuery): string {
  const search = new URLSearchParams();
  if (state) search.set('state', state);
  if (tag) search.set('tag', tag);
  if (q) search.set('q', q);
  if (page !== undefined && page > 1) search.set('page', String(page));
  return search.size > 0 ? `/admin/blog?${search}` : '/admin/blog';
}
