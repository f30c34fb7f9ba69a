/** Why the link of a letter leads nowhere, for the page that it leads to. */
import { ApiError } from '#lib/api/client.ts';

export type DeadLink = 'link_invalid' | 'link_expired';

/** @throws whatever is not about the link, such as a service that is away */
export function deadLinkOf(error: unknown): DeadLink {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === 'link_expired') return 'link_expired';
  // Of a wrong length it never was a token.
  if (error.code === 'link_invalid' || error.status === 422) return 'link_invalid';
  throw error;
}
