/**
 * Ways in to Google and Facebook, and back. Both are pages that a browser is
 * led to, so every answer is a redirect: to the provider, or to a page of the
 * frontend that says what came of it.
 */
import * as promised from '@cambist/contract/providers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/serve.ts';
import { renewed, type Session } from '#platform/sessions.ts';
import { isStateful } from '#platform/stateful.ts';
import { link, listIdentities, unlink } from './identities.ts';
import { sessionOf } from './member-sessions.ts';
import { openProviders, providerLabels } from './provider-clients.ts';
import { comeBack, setOut, type Errand } from './provider-journeys.ts';
import { signInByProvider } from './provider-sign-in.ts';
import { secondStepOf } from './second-step.ts';
import { visitOf } from './visit.ts';

export function providerRoutes({ public: open, member }: Ways, deps: Deps): void {
  const providers = openProviders(deps);

  open.serve(promised.listProviders, async () => ({
    data: (await providers.offered()).map((provider) => ({
      provider,
      label: providerLabels[provider],
    })),
  }));

  open.serve(promised.providerRedirect, async ({ request, reply, params, query }) => {
    const session = await sessionOfBrowser(deps, request);
    const intent = query.intent ?? 'signin';
    const departure = {
      provider: params.provider,
      intent,
      next: query.next,
      remember: query.remember ?? false,
    };
    // Whoever is lured here could be signed in at the provider as somebody else, and link them.
    const lured = intent === 'link' && !isLedByFrontend(request, deps);
    const outcome = lured
      ? { errand: { ...departure, next: null, userId: null }, trouble: 'failed' as const }
      : await setOut(deps, providers, session, departure);
    if ('address' in outcome) return reply.redirect(outcome.address.href);
    return toPage(deps, reply, outcome);
  });

  open.serve(promised.providerCallback, async ({ request, reply, params, query, origin }) => {
    const { provider } = params;
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
      const trouble = await link(deps, { session, origin }, provider, errand, voucher);
      return toPage(deps, reply, { errand, trouble });
    }
    const { remember } = errand;
    const entered = await signInByProvider(deps, visitOf(request), { provider, voucher, remember });
    if ('trouble' in entered) return toPage(deps, reply, { errand, trouble: entered.trouble });
    request.session = entered.session;
    const { user, second } = entered;
    if (second) return toSecondStep(deps, reply, errand, user.id);
    const home = user.role === 'admin' ? '/admin' : '/exchanges';
    return goOn(deps, reply, errand.next ?? home);
  });

  member.serve(promised.listIdentities, async ({ actor }) => ({
    data: await listIdentities(deps, actor),
  }));

  member.serve(promised.unlinkIdentity, ({ actor, origin, params }) =>
    unlink(deps, actor, origin, params.provider),
  );
}

/** A browser that comes from elsewhere keeps its session: the provider sends it. */
async function sessionOfBrowser(deps: Deps, request: FastifyRequest): Promise<Session> {
  const session = await sessionOf(deps, request.headers.cookie);
  return (request.session = renewed(deps.keys, session, deps.clock()));
}

/** Browsers say where a navigation comes from; one that says nothing is not believed. */
function isLedByFrontend({ headers }: FastifyRequest, { config }: Deps): boolean {
  const said = headers.referer !== undefined || headers.origin !== undefined;
  return said && isStateful(headers, config);
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

async function toSecondStep(
  deps: Deps,
  reply: FastifyReply,
  { next }: Errand,
  userId: string,
): Promise<FastifyReply> {
  const { methods } = await secondStepOf(deps.db, userId);
  const query = new URLSearchParams({ methods: methods.join(' ') });
  if (next !== null) query.set('next', next);
  return goOn(deps, reply, `/two-factor?${query}`);
}

/** Facebook leads back with `#_=_`, which browsers carry on to an address that has no fragment. */
function goOn({ config }: Deps, reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(`${config.frontendUrl}${path}${path.includes('#') ? '' : '#'}`);
}
