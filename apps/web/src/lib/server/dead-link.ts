/** Why an emailed link does not work. */
import { ApiError } from '#lib/api/client.ts';

export type DeadLink = 'link_invalid' | 'link_expired';

/** @throws any other error, such as an API that is down */
export function deadLinkOf(error: unknown): DeadLink {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === 'link_expired') return 'link_expired';
  // A token of the wrong length fails validation.
  if (error.code === 'link_invalid' || error.status === 422) return 'link_invalid';
  throw error;
}
