/** Refusals of downloads: a browser that followed a link is redirected to a page. */
import { fillPath } from '@cambist/contract/endpoint';
import type { LinkTrouble } from '@cambist/contract/link-troubles';
import { Refusal } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { answerError, refusalFor } from './errors.ts';
import type { Failed } from './serve.ts';

/**
 * Redirects a browser that followed a link, which asks for `text/html`: at 401 to sign-in, at 403 to the
 * page, at 404 and 429 to `list` with the reason. Any other caller gets JSON. `template` is the path of
 * the page, with the params of the link in it.
 */
export function linkFailed(deps: Deps, template: string, list = template): Failed {
  return (error, request, reply) => {
    const isLink = request.headers.accept?.includes('text/html') ?? false;
    const page = fillPath(template, request.params as Record<string, string>);
    const target = isLink && error instanceof Refusal ? targetOf(error.status, page, list) : null;
    if (target === null) return answerError(error, request, reply);
    refusalFor(error, request);
    reply.redirect(deps.config.frontendUrl + target, 302);
  };
}

function targetOf(status: number, page: string, list: string): string | null {
  const withTrouble = (trouble: LinkTrouble) => `${list}?trouble=${trouble}`;
  if (status === 401) return `/signin?next=${page}&notice=signed-out`;
  if (status === 403) return page;
  if (status === 404) return withTrouble('gone');
  return status === 429 ? withTrouble('too_many') : null;
}
