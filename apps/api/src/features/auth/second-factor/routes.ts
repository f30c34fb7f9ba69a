/** Routes of the second step of a sign-in, and of the user's second factors. */
import * as contract from '@cambist/contract/second-factor';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/http/serve.ts';
import { contextOf, memberContextOf } from '../sessions/request-context.ts';
import type { CodeTries } from '../sign-in/attempts.ts';
import * as factors from './second-factor.ts';
import {
  finishSecondStep,
  passkeyOptions,
  pendingSecondStep,
  signInWithPasskey,
} from './second-step.ts';

export function secondFactorRoutes({ stateful, member }: Ways, deps: Deps, tries: CodeTries): void {
  stateful.serve(contract.passkeyChallenge, async ({ request, body }) => ({
    data: await passkeyOptions(deps, contextOf(request), body.alone ?? false),
  }));
  stateful.serve(contract.passkeySignIn, async ({ request, body }) => {
    const { user, session } = await signInWithPasskey(deps, contextOf(request), body);
    request.session = session;
    return { data: user };
  });
  stateful.serve(contract.twoFactorChallenge, async ({ request, body }) => {
    const { user, session } = await finishSecondStep(deps, tries, contextOf(request), body);
    request.session = session;
    return { data: user };
  });
  stateful.serve(contract.getTwoFactorChallenge, async ({ request }) => ({
    data: await pendingSecondStep(deps, request.session),
  }));

  member.serve(contract.getSecondFactor, async ({ actor }) => ({
    data: await factors.getSecondFactor(deps, actor),
  }));
  member.serve(contract.beginTotp, async (ask) => ({
    data: await factors.beginTotp(deps, memberContextOf(ask)),
  }));
  member.serve(contract.confirmTotp, async ({ body, ...ask }) => ({
    data: {
      recovery_codes: await factors.confirmTotp(deps, tries, memberContextOf(ask), body.code),
    },
  }));
  member.serve(contract.removeTotp, (ask) => factors.removeTotp(deps, memberContextOf(ask)));
  member.serve(contract.renewRecoveryCodes, async (ask) => ({
    data: { recovery_codes: await factors.renewRecoveryCodes(deps, memberContextOf(ask)) },
  }));
  member.serve(contract.beginPasskey, async (ask) => ({
    data: await factors.beginPasskey(deps, memberContextOf(ask)),
  }));
  member.serve(contract.addPasskey, async ({ body, ...ask }) => ({
    data: await factors.addPasskey(deps, memberContextOf(ask), body),
  }));
  member.serve(contract.removePasskey, ({ params, ...ask }) =>
    factors.removePasskey(deps, memberContextOf(ask), params.id),
  );
}
