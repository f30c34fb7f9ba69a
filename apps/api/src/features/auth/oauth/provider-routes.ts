/**
 * Ways in to Google and Facebook, and back. Both are pages that a browser is
 * led to, so every answer is a redirect: to the provider, or to a page of the
 * frontend that says what came of it.
 */
import * as promised from '@cambist/contract/providers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import type { Deps } from '#platform/deps.ts';
import { hear } from '#platform/http/errors.ts';
import type { Failed, Handler, Ways } from '#platform/http/serve.ts';
import { isHeld, type Session } from '#platform/security/sessions.ts';
import { isLedHere, isLuredHere } from '#platform/http/stateful.ts';
import { link, listIdentities, unlink } from './identities.ts';
import { sessionOf } from '../sessions/member-sessions.ts';
import {
  offeredProviders,
  openProviders,
  providerLabels,
  type Providers,
} from './provider-clients.ts';
import { comeBack, setOut, type Errand } from './provider-journeys.ts';
import { signInByProvider } from './provider-sign-in.ts';
import { ownerOf, visitOf } from '../sessions/request-context.ts';

export function providerRoutes({ public: open, member }: Ways, deps: Deps): void {
  const providers = openProviders(deps);
  const failed: Failed = (error, request, reply) => {
    const status = hear(error, request)?.status ?? 500;
    const trouble = status === 429 ? 'too_many' : status >= 500 ? 'unavailable' : 'failed';
    toPage(deps, reply, { errand: null, trouble });
  };

  open.serve(promised.listProviders, async () => ({
    data: (await offeredProviders(deps)).map((provider) => ({
      provider,
      label: providerLabels[provider],
    })),
  }));
  open.serve(promised.providerRedirect, leadThere(deps, providers), failed);
  open.serve(promised.providerCallback, takeBack(deps, providers), failed);

  member.serve(promised.listIdentities, async ({ actor }) => ({
    data: await listIdentities(deps, actor),
  }));
  member.serve(promised.unlinkIdentity, ({ params, ...ask }) =>
    unlink(deps, ownerOf(ask), params.provider),
  );
}

type Redirect = Handler<typeof promised.providerRedirect, Actor | null>;
type Callback = Handler<typeof promised.providerCallback, Actor | null>;

function leadThere(deps: Deps, providers: Providers): Redirect {
  return async ({ request, reply, params, query }) => {
    const session = await sessionOfBrowser(deps, request);
    const intent = query.intent ?? 'signin';
    const departure = {
      provider: params.provider,
      intent,
      next: query.next,
      remember: query.remember ?? false,
    };
    // Whoever is lured here could be signed in at the provider as somebody else: they would find
    // themselves in that person's account, or have them linked to their own.
    const lured =
      intent === 'link'
        ? !isLedHere(request.headers, deps.config)
        : isLuredHere(request.headers, deps.config);
    const outcome = lured
      ? { errand: { ...departure, next: null, userId: null }, trouble: 'failed' as const }
      : await setOut(deps, providers, session, departure);
    if (!('address' in outcome)) return toPage(deps, reply, outcome);
    // Only the browser that set out may come back: a new guest has to be known by something.
    if (!isHeld(deps, request.headers.cookie, session)) request.held = null;
    return reply.redirect(outcome.address.href);
  };
}

function takeBack(deps: Deps, providers: Providers): Callback {
  return async ({ request, reply, params: { provider }, query, origin }) => {
    const session = await sessionOfBrowser(deps, request);
    const outcome = await comeBack(deps, providers, session, {
      provider,
      search: new URL(request.url, deps.config.appUrl).search,
      state: query.state,
      error: query.error,
    });
    if ('trouble' in outcome) return toPage(deps, reply, outcome);
    const { errand, voucher } = outcome;
    if (errand.intent === 'link') {
      const { member } = session;
      if (member === null) return toPage(deps, reply, { errand, trouble: 'expired' });
      const owner = { actor: member.actor, origin, session };
      const trouble = await link(deps, owner, provider, errand, voucher);
      return toPage(deps, reply, { errand, trouble });
    }
    const { remember, next } = errand;
    const visit = visitOf(request);
    const entered = await signInByProvider(deps, visit, { provider, voucher, remember, next });
    if ('trouble' in entered) return toPage(deps, reply, { errand, trouble: entered.trouble });
    request.session = entered.session;
    const { user, second } = entered;
    if (second) return toSecondStep(deps, reply, errand);
    return goOn(deps, reply, next ?? (user.role === 'admin' ? '/admin' : '/exchanges'));
  };
}

/**
 * A browser that comes from elsewhere keeps its session: the provider sends it. Where that is over, no
 * guest's takes its place by an answer that leads to nothing: another tab may have signed in meanwhile.
 */
async function sessionOfBrowser(deps: Deps, request: FastifyRequest): Promise<Session> {
  const session = await sessionOf(deps, request.headers.cookie);
  request.held = session.id;
  return (request.session = session);
}

/** Back to the page where it began, with the reason where it came to nothing. */
function toPage(
  deps: Deps,
  reply: FastifyReply,
  { errand, trouble }: { errand: Errand | null; trouble: promised.ProviderTrouble | null },
): FastifyReply {
  const linking = errand?.intent === 'link';
  const next = errand?.next ?? null;
  if (trouble === null) return goOn(deps, reply, next ?? '/account');
  const query = new URLSearchParams({ trouble });
  if (!linking && next !== null) query.set('next', next);
  return goOn(deps, reply, `${linking ? '/account' : '/signin'}?${query}`);
}

function toSecondStep(deps: Deps, reply: FastifyReply, { next }: Errand): FastifyReply {
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`;
  return goOn(deps, reply, `/two-factor${query}`);
}

/** Facebook leads back with `#_=_`, which browsers carry on to an address that has no fragment. */
function goOn({ config }: Deps, reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(`${config.frontendUrl}${path}${path.includes('#') ? '' : '#'}`);
}
