/** Routes of sign-up, sign-in, sessions and the user's own account (the specification's section 5). */
import * as contract from '@cambist/contract/accounts';
import * as links from '@cambist/contract/email-links';
import type { Deps } from '#platform/deps.ts';
import type { Feature } from '#platform/feature.ts';
import type { Ways } from '#platform/http/serve.ts';
import { SENSITIVE_SETTINGS, type SensitiveChange } from '#features/content/settings/writing.ts';
import { changeEmail, changePassword, updateProfile } from './account/account.ts';
import { emailSensitiveSettings } from './admin/admin-emails.ts';
import { providerRoutes } from './oauth/routes.ts';
import { deleteExpiredFlows } from './oauth/store.ts';
import * as resets from './password/password-reset.ts';
import { deleteExpiredChallenges } from './second-factor/challenge-store.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { contextOf, memberContextOf } from './sessions/request-context.ts';
import * as sessions from './sessions/sessions.ts';
import { openAttempts, type Attempts } from './sign-in/attempts.ts';
import { confirmIdentity } from './sign-in/confirmation.ts';
import { signIn, signOut } from './sign-in/sign-in.ts';
import { signUp } from './sign-up/sign-up.ts';
import { checkVerification, resendVerification, verifyEmail } from './sign-up/verification.ts';
import { toWireProfile } from './users.ts';

/** Clients of Laravel Sanctum, where this scheme comes from, ask here. */
const csrfCookieAlias = { ...contract.csrfCookie, path: '/sanctum/csrf-cookie' };

export const auth: Feature = {
  name: 'auth',

  routes(ways, deps) {
    const attempts = openAttempts(deps.counters, deps.config.throttleScale);
    signInRoutes(ways, deps, attempts);
    emailLinkRoutes(ways, deps, attempts);
    accountRoutes(ways, deps, attempts);
    secondFactorRoutes(ways, deps, attempts.codes);
    providerRoutes(ways, deps);
  },

  tasks: (deps) => [
    {
      name: 'sign-in-purge',
      cron: '17 * * * *',
      run: async (now) => `${await purge(deps, now)} deleted`,
    },
    {
      name: 'password-requests-purge',
      cron: '*/10 * * * *',
      run: async () => `${await resets.purgeRequests(deps, deps.clock())} deleted`,
    },
  ],

  jobs: (deps) => ({
    [resets.RESETS]: (data) => resets.sendRequestedReset(deps, data),
    [SENSITIVE_SETTINGS]: (data) => emailSensitiveSettings(deps, data as SensitiveChange),
  }),
};

/** Deletes what has expired: sessions, links, sign-ins and OAuth flows that were not finished. */
async function purge(deps: Deps, now: Date): Promise<number> {
  return (
    (await sessions.purgeSessions(deps, now)) +
    (await deleteExpiredChallenges(deps.db, now)) +
    (await deleteExpiredFlows(deps.db, now)) +
    (await resets.purgeResets(deps, now))
  );
}

/** The cookies of an answer follow from the session that the handler sets on the request. */
function signInRoutes({ public: open, stateful }: Ways, deps: Deps, attempts: Attempts): void {
  for (const endpoint of [contract.csrfCookie, csrfCookieAlias]) {
    // The session stays, whatever page the request comes from: a link from elsewhere signs nobody out.
    open.serve(endpoint, async ({ request }) => {
      request.session = await sessions.sessionOf(deps, request.headers.cookie);
    });
  }
  stateful.serve(contract.signUp, async ({ request, body }) => {
    const { user, session } = await signUp(deps, contextOf(request), body);
    request.session = session;
    return { data: user };
  });
  stateful.serve(contract.signIn, async ({ request, body }) => {
    const { answer, session } = await signIn(deps, attempts, contextOf(request), body);
    request.session = session;
    return answer;
  });
  stateful.serve(contract.signOut, async ({ request, actor }) => {
    request.session = await signOut(deps, actor, contextOf(request));
  });
}

function emailLinkRoutes({ stateful }: Ways, deps: Deps, attempts: Attempts): void {
  stateful.serve(contract.verifyEmail, async ({ request, body }) => ({
    data: await verifyEmail(deps, contextOf(request), body),
  }));
  stateful.serve(links.checkVerifyEmail, async ({ request, body }) => ({
    data: await checkVerification(deps, contextOf(request), body),
  }));
  stateful.serve(contract.forgotPassword, ({ origin, body }) =>
    resets.forgotPassword(deps, origin, body),
  );
  stateful.serve(contract.resetPassword, ({ origin, body }) =>
    resets.resetPassword(deps, attempts, origin, body),
  );
  stateful.serve(links.checkResetPassword, async ({ body }) => {
    await resets.checkReset(deps, body.token);
  });
}

function accountRoutes({ member }: Ways, deps: Deps, attempts: Attempts): void {
  member.serve(contract.currentUser, (ask) =>
    toWireProfile(deps, sessions.memberOf(memberContextOf(ask)).profile),
  );
  member.serve(contract.sendVerification, ({ query, ...ask }) =>
    resendVerification(deps, memberContextOf(ask), query.next),
  );
  member.serve(contract.updateProfile, async ({ body, ...ask }) => ({
    data: await updateProfile(deps, memberContextOf(ask), body),
  }));
  member.serve(contract.changePassword, async ({ body, ...ask }) => {
    const { user, session } = await changePassword(deps, attempts, memberContextOf(ask), body);
    ask.request.session = session;
    return { data: user };
  });
  member.serve(contract.changeEmail, async ({ body, ...ask }) => ({
    data: await changeEmail(deps, attempts, memberContextOf(ask), body),
  }));
  member.serve(contract.confirmIdentity, async ({ body, ...ask }) => ({
    data: await confirmIdentity(deps, attempts, memberContextOf(ask), body),
  }));

  member.serve(contract.listSessions, async ({ actor, request }) => ({
    data: await sessions.listSessions(deps, actor.id, request.session),
  }));
  member.serve(contract.endOtherSessions, (ask) =>
    sessions.endOtherSessions(deps, memberContextOf(ask)),
  );
  member.serve(contract.endSession, async ({ params, ...ask }) => {
    ask.request.session = await sessions.endOneSession(deps, memberContextOf(ask), params.id);
  });
}
