/** The token of an emailed link, as a path parameter of the API. */
import type { RequestEvent } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';

export function tokenIn({ url }: Pick<RequestEvent, 'url'>): { token: string } {
  return { token: url.searchParams.get('token') || 'none' };
}

/** What the link is about; null for a dead one. */
export async function sightOf<T>(answer: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await answer).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
