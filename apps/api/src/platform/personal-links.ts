/**
 * Files that a page links to for the person whom it was made for: the endpoint's query names that
 * `person`. A browser shows the answer to a link as a page, so what is refused leads to a page.
 */
import { fillPath } from '@cambist/contract/endpoint';
import type { LinkTrouble } from '@cambist/contract/link-troubles';
import type { FastifyReply } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Deps } from './deps.ts';
import { answerError, hear } from './errors.ts';
import type { Failed } from './serve.ts';

/** Whether somebody else than the page's person is signed in by now. Without a `person` no page asks. */
export function isAnothers(query: { readonly person?: string }, actor: Actor): boolean {
  return query.person !== undefined && query.person !== actor.id;
}

/** Leads back to the page of the link, such as `/account`, which says why there is no file. */
export function backToPage(
  deps: Deps,
  reply: FastifyReply,
  page: string,
  trouble: LinkTrouble,
): FastifyReply {
  return reply.redirect(`${deps.config.frontendUrl}${page}?trouble=${trouble}`, 302);
}

/**
 * Leads who is signed out to sign in, and who may not have the file to the page, which tells them so.
 * Who asks too often, or for what is gone, is led to `list`, which must be there for another person
 * too. Who calls without a page gets JSON. `template` is the path of the page,
 * with the params of the link in it.
 */
export function linkFailed(deps: Deps, template: string, list = template): Failed {
  return (error, request, reply) => {
    const { person } = request.query as { person?: unknown };
    const status = person !== undefined && error instanceof Refusal ? error.status : 0;
    if (status === 429 || status === 404) {
      hear(error, request);
      return void backToPage(deps, reply, list, status === 429 ? 'too_many' : 'gone');
    }
    if (status !== 401 && status !== 403) return answerError(error, request, reply);
    hear(error, request);
    const page = fillPath(template, request.params as Record<string, string>);
    const path = status === 403 ? page : `/signin?next=${page}&notice=signed-out`;
    reply.redirect(`${deps.config.frontendUrl}${path}`, 302);
  };
}
