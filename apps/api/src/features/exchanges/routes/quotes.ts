/** Quotes for anyone, the public list of latest exchanges, and the read-only status link. */
import { latestExchanges } from '@cambist/contract/exchanges';
import { createQuote } from '@cambist/contract/quotes';
import { getExchangeStatus } from '@cambist/contract/status-link';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/http/serve.ts';
import { isStateful } from '#platform/http/stateful.ts';
import { sessionOf } from '#features/auth/sessions/sessions.ts';
import { latestAnswer } from '../actions/transition.ts';
import { openContext } from '../context.ts';
import { latest } from '../customer-reads.ts';
import { quote } from '../quotes/quotes.ts';
import { readSharedStatus } from '../status-link.ts';

export function servePublic(ways: Ways, deps: Deps): void {
  ways.public.serve(createQuote, async ({ body, request }) => {
    const actor = await findActor(deps, request);
    return { data: await quote(await openContext(deps), actor, body) };
  });
  ways.public.serve(latestExchanges, ({ reply }) =>
    deps.published.send(reply, latestAnswer, async () => ({ data: await latest(deps.db) })),
  );
  ways.public.serve(getExchangeStatus, async ({ params }) => ({
    data: await readSharedStatus(deps, params.token),
  }));
}

/** Public routes do not read the session, but a quote belongs to the signed-in user. */
async function findActor(deps: Deps, request: FastifyRequest): Promise<Actor | null> {
  const { headers } = request;
  if (headers.cookie === undefined || !isStateful(headers, deps.config)) return null;
  const session = await sessionOf(deps, headers.cookie);
  return session.member?.actor ?? null;
}
