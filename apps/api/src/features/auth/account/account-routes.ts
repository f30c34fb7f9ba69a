/** The ways in to one's own account: address, password, profile and sessions. */
import * as contract from '@cambist/contract/accounts';
import * as links from '@cambist/contract/email-links';
import type { Deps } from '#platform/deps.ts';
import { browserCookie } from '#platform/security/sessions.ts';
import type { Ways } from '#platform/http/serve.ts';
import { changeEmail, changePassword, updateProfile } from './account.ts';
import { endOne, endOthers, listSessions } from '../sessions/account-sessions.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import { confirmIdentity } from '../sign-in/confirmation.ts';
import { allowBrowser, checkLink } from '../sign-in/known-browsers.ts';
import { checkReset, forgotPassword, resetPassword } from '../password/password-reset.ts';
import { checkVerification, resendVerification, verifyEmail } from '../sign-up/verification.ts';
import { ownerOf, visitOf } from '../sessions/request-context.ts';

export function accountRoutes({ stateful, member }: Ways, deps: Deps, attempts: Attempts): void {
  member.serve(contract.sendVerification, ({ request, query }) =>
    resendVerification(deps, visitOf(request), query.next),
  );
  stateful.serve(contract.verifyEmail, async ({ request, body }) => ({
    data: await verifyEmail(deps, visitOf(request), body),
  }));
  stateful.serve(links.checkVerifyEmail, async ({ request, body }) => ({
    data: await checkVerification(deps, visitOf(request), body),
  }));
  stateful.serve(contract.forgotPassword, ({ origin, body }) => forgotPassword(deps, origin, body));
  stateful.serve(contract.resetPassword, ({ origin, body }) =>
    resetPassword(deps, attempts, origin, body),
  );
  stateful.serve(links.checkResetPassword, async ({ body }) => {
    await checkReset(deps, body.token);
  });
  stateful.serve(links.checkAllowBrowser, ({ body }) => checkLink(deps, body.token));
  stateful.serve(links.allowBrowser, async ({ request, reply, body }) => {
    const tokens = await allowBrowser(deps, attempts, visitOf(request), body.token);
    reply.header('set-cookie', browserCookie(deps.config.session, tokens));
  });

  member.serve(contract.updateProfile, async ({ actor, request, body }) => ({
    data: await updateProfile(deps, visitOf(request), actor, body),
  }));
  member.serve(contract.changePassword, async ({ actor, request, body }) => {
    const visit = visitOf(request);
    const { user, session } = await changePassword(deps, attempts, visit, actor, body);
    request.session = session;
    return { data: user };
  });
  member.serve(contract.changeEmail, async ({ actor, request, body }) => ({
    data: await changeEmail(deps, attempts, visitOf(request), actor, body),
  }));
  member.serve(contract.confirmIdentity, async ({ actor, request, body }) => ({
    data: await confirmIdentity(deps, attempts, visitOf(request), actor, body),
  }));

  member.serve(contract.listSessions, async ({ actor, request }) => ({
    data: await listSessions(deps, actor.id, request.session),
  }));
  member.serve(contract.endOtherSessions, (ask) => endOthers(deps, ownerOf(ask)));
  member.serve(contract.endSession, async ({ params, ...ask }) => {
    ask.request.session = await endOne(deps, ownerOf(ask), params.id);
  });
}
