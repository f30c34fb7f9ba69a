/**
 * Routes that redirect to Google and Facebook, and receive their callbacks. Browsers navigate to both, so
 * every answer is a redirect: to the provider, or to a page of the frontend that shows the outcome.
 */
import * as contract from '@cambist/contract/providers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import type { Deps } from '#platform/deps.ts';
import { refusalFor } from '#platform/http/errors.ts';
import type { Failed, Handler, Ways } from '#platform/http/serve.ts';
import { isForeignNavigation, isOwnNavigation } from '#platform/http/stateful.ts';
import { isHeld, type Session } from '#platform/security/sessions.ts';
import { contextOf, memberContextOf } from '../sessions/request-context.ts';
import { sessionOf } from '../sessions/sessions.ts';
import { offeredProviders, openProviders, providerLabels, type Providers } from './clients.ts';
import { finishFlow, startFlow, type Flow } from './flows.ts';
import { link, listIdentities, unlink } from './identities.ts';
import { signInWithProvider } from './sign-in.ts';

export function providerRoutes({ public: open, member }: Ways, deps: Deps): void {
  const providers = openProviders(deps);
  const failed: Failed = (error, request, reply) => {
    const status = refusalFor(error, request)?.status ?? 500;
    const trouble = status === 429 ? 'too_many' : status >= 500 ? 'unavailable' : 'failed';
    toPage(deps, reply, { flow: null, trouble });
  };

  open.serve(contract.listProviders, async () => ({
    data: (await offeredProviders(deps)).map((provider) => ({
      provider,
      label: providerLabels[provider],
    })),
  }));
  open.serve(contract.providerRedirect, redirectToProvider(deps, providers), failed);
  open.serve(contract.providerCallback, receiveCallback(deps, providers), failed);

  member.serve(contract.listIdentities, async ({ actor }) => ({
    data: await listIdentities(deps, actor),
  }));
  member.serve(contract.unlinkIdentity, ({ params, ...ask }) =>
    unlink(deps, memberContextOf(ask), params.provider),
  );
}

type Redirect = Handler<typeof contract.providerRedirect, Actor | null>;
type CallbackHandler = Handler<typeof contract.providerCallback, Actor | null>;

function redirectToProvider(deps: Deps, providers: Providers): Redirect {
  return async ({ request, reply, params: { provider }, query }) => {
    const session = await openBrowserSession(deps, request);
    const { intent = 'signin', remember = false, next } = query;
    // A page of an attacker could send the browser here while it is signed in at the provider as the
    // attacker: the user would end up in the attacker's account, or have it linked to their own.
    const isForeign =
      intent === 'link'
        ? !isOwnNavigation(request.headers, deps.config)
        : isForeignNavigation(request.headers, deps.config);
    const outcome = isForeign
      ? { flow: { intent, remember, next: null, userId: null }, trouble: 'failed' as const }
      : await startFlow(deps, providers, session, { provider, intent, next, remember });
    if (!('address' in outcome)) return toPage(deps, reply, outcome);
    // The callback must come from this browser, so a new guest needs a session cookie.
    if (!isHeld(deps, request.headers.cookie, session)) request.held = null;
    return reply.redirect(outcome.address.href);
  };
}

function receiveCallback(deps: Deps, providers: Providers): CallbackHandler {
  return async ({ request, reply, params: { provider }, query }) => {
    const session = await openBrowserSession(deps, request);
    const outcome = await finishFlow(deps, providers, session, {
      provider,
      search: new URL(request.url, deps.config.appUrl).search,
      state: query.state,
      error: query.error,
    });
    if ('trouble' in outcome) return toPage(deps, reply, outcome);
    const { flow, profile } = outcome;
    const context = contextOf(request);
    if (flow.intent === 'link') {
      const trouble = await link(deps, context, provider, flow, profile);
      return toPage(deps, reply, { flow, trouble });
    }
    const { remember, next } = flow;
    const signIn = { provider, profile, remember, next };
    const signedIn = await signInWithProvider(deps, context, signIn);
    if ('trouble' in signedIn) return toPage(deps, reply, { flow, trouble: signedIn.trouble });
    request.session = signedIn.session;
    if (signedIn.second) {
      const search = next === null ? '' : `?${new URLSearchParams({ next })}`;
      return redirect(deps, reply, `/two-factor${search}`);
    }
    const home = signedIn.user.role === 'admin' ? '/admin' : '/exchanges';
    return redirect(deps, reply, next ?? home);
  };
}

/**
 * The session of the browser's cookies, although the request comes from another site. If it is over, the
 * answer of a failed flow sets no guest cookies: another tab may have signed in meanwhile.
 */
async function openBrowserSession(deps: Deps, request: FastifyRequest): Promise<Session> {
  const session = await sessionOf(deps, request.headers.cookie);
  request.held = session.id;
  request.session = session;
  return session;
}

/** Redirects to the page where the flow started, with the reason if it failed. */
function toPage(
  deps: Deps,
  reply: FastifyReply,
  { flow, trouble }: { flow: Flow | null; trouble: contract.ProviderTrouble | null },
): FastifyReply {
  const isLink = flow?.intent === 'link';
  const next = flow?.next ?? null;
  if (trouble === null) return redirect(deps, reply, next ?? '/account');
  const query = new URLSearchParams({ trouble });
  if (!isLink && next !== null) query.set('next', next);
  return redirect(deps, reply, `${isLink ? '/account' : '/signin'}?${query}`);
}

/** With an empty fragment: Facebook's callback has `#_=_`, which browsers carry over otherwise. */
function redirect({ config }: Deps, reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(`${config.frontendUrl}${path}${path.includes('#') ? '' : '#'}`);
}
