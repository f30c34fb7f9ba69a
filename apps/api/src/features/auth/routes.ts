/**
 * The ways in to accounts: the specification's five steps (section 5), sign-up
 * and sign-out. The answer's cookies follow from the session that a handler
 * leaves on the request.
 */
import { csrfCookie, currentUser, signIn, signOut, signUp } from '@cambist/contract/accounts';
import type { Feature } from '#platform/feature.ts';
import { accountRoutes } from './account/account-routes.ts';
import { openAttempts } from './sign-in/attempts.ts';
import { deleteExpiredChallenges } from './second-factor/challenge-store.ts';
import { answerAskedLink, BROWSER_LINKS } from './sign-in/known-browsers.ts';
import { purgeSessions, sessionOf } from './sessions/member-sessions.ts';
import { answerForgotten, purgeAsked, purgeResets, RESETS } from './password/password-reset.ts';
import { getUser } from './people.ts';
import { providerRoutes } from './oauth/provider-routes.ts';
import { deleteExpiredFlows } from './oauth/provider-store.ts';
import * as signing from './sign-in/sign-in.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { signUp as openAccount } from './sign-up/sign-up.ts';
import { visitOf } from './sessions/request-context.ts';

/** Clients of the original of this scheme ask here. */
const csrfCookieAlias = { ...csrfCookie, path: '/sanctum/csrf-cookie' };

export const auth: Feature = {
  name: 'auth',

  routes(ways, deps) {
    const attempts = openAttempts(deps.clock, deps.config.throttleScale);

    for (const endpoint of [csrfCookie, csrfCookieAlias]) {
      // Whatever page it comes from, the session stays: a link from elsewhere signs nobody out.
      ways.public.serve(endpoint, async ({ request }) => {
        request.session = await sessionOf(deps, request.headers.cookie);
      });
    }

    ways.stateful.serve(signUp, async ({ request, body }) => {
      const { user, session } = await openAccount(deps, visitOf(request), body);
      request.session = session;
      return { data: user };
    });

    ways.stateful.serve(signIn, async ({ request, body }) => {
      const { answer, session } = await signing.signIn(deps, attempts, visitOf(request), body);
      request.session = session;
      return answer;
    });

    ways.stateful.serve(signOut, async ({ request, actor }) => {
      request.session = await signing.signOut(deps, actor, visitOf(request));
    });

    ways.member.serve(currentUser, ({ actor }) => getUser(deps, actor.id));
    accountRoutes(ways, deps, attempts);
    secondFactorRoutes(ways, deps, attempts.codes);
    providerRoutes(ways, deps);
  },

  tasks: (deps) => [
    {
      name: 'sessions-purge',
      cron: '17 * * * *',
      run: async (now) => `${await purgeSessions(deps, now)} deleted`,
    },
    {
      name: 'sign-in-challenges-purge',
      cron: '27 * * * *',
      run: async (now) => `${await deleteExpiredChallenges(deps.db, now)} deleted`,
    },
    {
      name: 'password-requests-purge',
      cron: '*/10 * * * *',
      run: async () => `${await purgeAsked(deps, deps.clock())} deleted`,
    },
    {
      name: 'password-resets-purge',
      cron: '47 * * * *',
      run: async (now) => `${await purgeResets(deps, now)} deleted`,
    },
    {
      name: 'provider-journeys-purge',
      cron: '37 * * * *',
      run: async (now) => `${await deleteExpiredFlows(deps.db, now)} deleted`,
    },
  ],

  jobs: (deps) => ({
    [RESETS]: (data) => answerForgotten(deps, data),
    [BROWSER_LINKS]: (data) => answerAskedLink(deps, data),
  }),
};
