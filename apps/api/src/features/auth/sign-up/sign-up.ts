/** Opening an account. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signUp as SignUp } from '@cambist/contract/accounts';
import { invalid, type Refusal } from '#kernel/refusal.ts';
import { read, refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction } from '#platform/db/database.ts';
import { newPasswordErrors } from '../password/password-rules.ts';
import { hashPassword } from '../password/passwords.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import { startSession, type AuthDeps, type SignedIn } from '../sessions/sessions.ts';
import * as store from '../store.ts';
import { createUser, nameErrors, normalizeEmail, recordUserEvent, toWireUser } from '../users.ts';
import { sendFirstVerification } from './verification.ts';

/**
 * Opens an account, signs its owner in and sends the email that verifies the address.
 * @throws {Refusal} 422 by field, also for a taken address; 503 `site_closed`
 */
export async function signUp(
  deps: AuthDeps,
  context: RequestContext,
  body: BodyOf<typeof SignUp>,
): Promise<SignedIn> {
  await refuseWhileClosed(deps);
  const name = body.name.trim();
  const email = normalizeEmail(body.email);
  const { site_name: siteName } = await read(deps, 'general');
  const errors = {
    ...nameErrors(name),
    ...(await newPasswordErrors(body, { name, email, siteName })),
    ...(body.terms_accepted ? {} : { terms_accepted: 'The terms must be accepted.' }),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (await store.findUserByEmail(deps.db, email)) throw emailTaken();
  const passwordHash = await hashPassword(body.password);
  const now = deps.clock();

  const { user, session } = await transaction(deps.db, async (tx) => {
    const user = await createUser(tx, {
      name,
      email,
      passwordHash,
      now,
      termsAcceptedAt: now,
      ...(body.locale === undefined ? {} : { locale: body.locale }),
    });
    if (!user) throw emailTaken();
    await sendFirstVerification(deps, tx, user, body.next);
    const by = { actor: store.actorOf(user), origin: context.origin };
    await recordUserEvent(tx, 'auth.signup', user, by);
    return { user, session: await startSession(deps, tx, context, user, { remember: false }) };
  });
  return { user: await toWireUser(deps, user), session };
}

function emailTaken(): Refusal {
  return invalid({ email: 'The email has already been taken.' });
}
