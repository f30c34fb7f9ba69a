import { error } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';

/**
 * What the API knows by an address.
 * @throws 404 when it knows nothing
 */
export async function found<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (refused) {
    if (refused instanceof ApiError && refused.status === 404) error(404);
    throw refused;
  }
}
