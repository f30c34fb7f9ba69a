/** Ways in to the second step of a sign-in, and to what a person keeps for it. */
import * as promised from '@cambist/contract/second-factor';
import type { Deps } from '#platform/deps.ts';
import type { Ways } from '#platform/http/serve.ts';
import type { CodeTries } from './code-tries.ts';
import * as factors from './second-factor.ts';
import {
  askPasskey,
  endSecondStep,
  finishSecondStep,
  signInByPasskey,
  waitingSecondStep,
} from './second-step.ts';
import { ownerOf, visitOf } from '../sessions/request-context.ts';

export function secondFactorRoutes(ways: Ways, deps: Deps, tries: CodeTries): void {
  const { stateful, member } = ways;

  stateful.serve(promised.passkeyChallenge, async ({ request, body }) => ({
    data: await askPasskey(deps, visitOf(request), body.alone ?? false),
  }));

  stateful.serve(promised.passkeySignIn, async ({ request, body }) => {
    const { user, session } = await signInByPasskey(deps, visitOf(request), body);
    request.session = session;
    return { data: user };
  });

  stateful.serve(promised.twoFactorChallenge, async ({ request, body }) => {
    const { user, session } = await finishSecondStep(deps, tries, visitOf(request), body);
    request.session = session;
    return { data: user };
  });

  stateful.serve(promised.getTwoFactorChallenge, async ({ request }) => ({
    data: await waitingSecondStep(deps, visitOf(request)),
  }));

  stateful.serve(promised.endTwoFactorChallenge, ({ request }) =>
    endSecondStep(deps, visitOf(request)),
  );

  member.serve(promised.getSecondFactor, async ({ actor }) => ({
    data: await factors.describeSecondFactor(deps, actor),
  }));

  member.serve(promised.beginTotp, async (ask) => ({
    data: await factors.beginTotp(deps, ownerOf(ask)),
  }));

  member.serve(promised.confirmTotp, async ({ body, ...ask }) => ({
    data: { recovery_codes: await factors.confirmTotp(deps, tries, ownerOf(ask), body.code) },
  }));

  member.serve(promised.removeTotp, (ask) => factors.removeTotp(deps, ownerOf(ask)));

  member.serve(promised.renewRecoveryCodes, async (ask) => ({
    data: { recovery_codes: await factors.renewRecoveryCodes(deps, ownerOf(ask)) },
  }));

  member.serve(promised.beginPasskey, async (ask) => ({
    data: await factors.beginPasskey(deps, ownerOf(ask)),
  }));

  member.serve(promised.addPasskey, async ({ body, ...ask }) => ({
    data: await factors.addPasskey(deps, ownerOf(ask), body),
  }));

  member.serve(promised.removePasskey, ({ params, ...ask }) =>
    factors.removePasskey(deps, ownerOf(ask), params.id),
  );
}
