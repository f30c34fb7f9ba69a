/** Opening an account. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { signUp as SignUp } from '@cambist/contract/accounts';
import { invalid, type Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { read, refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction } from '#platform/db/database.ts';
import {
  startSession,
  type AuthDeps,
  type SignedIn,
  type Visit,
} from '../sessions/member-sessions.ts';
import {
  confirmationErrors,
  passwordErrors,
  type PasswordContext,
} from '../password/password-rules.ts';
import { hashPassword } from '../password/passwords.ts';
import { createUser, nameErrors, normalized, wireUser } from '../people.ts';
import * as store from '../store.ts';
import { postFirstVerification } from './verification.ts';

/**
 * Opens an account, signs its owner in and posts the email that confirms the address.
 * @throws {Refusal} 422 on the field that cannot be accepted, a taken address among them;
 *   503 `site_closed`
 */
export async function signUp(
  deps: AuthDeps,
  visit: Visit,
  body: BodyOf<typeof SignUp>,
): Promise<SignedIn> {
  await refuseWhileClosed(deps);
  const name = body.name.trim();
  const email = normalized(body.email);
  const { site_name: siteName } = await read(deps, 'general');
  await checkSignUp(name, body, { name, email, siteName });
  if (await store.findUserByEmail(deps.db, email)) throw emailTaken();
  const passwordHash = await hashPassword(body.password);
  const now = deps.clock();

  const signedIn = await transaction(deps.db, async (tx) => {
    const user = await createUser(tx, {
      name,
      email,
      passwordHash,
      now,
      termsAcceptedAt: now,
      ...(body.locale === undefined ? {} : { locale: body.locale }),
    });
    if (!user) throw emailTaken();
    await postFirstVerification(deps, tx, user, body.next);
    const actor = store.actorOf(user);
    await record(tx, {
      actor,
      origin: visit.origin,
      action: 'auth.signup',
      subject_kind: 'user',
      subject_id: user.id,
    });
    return { user, session: await startSession(deps, tx, visit, actor, { remember: false }) };
  });
  return { user: await wireUser(deps, signedIn.user), session: signedIn.session };
}

async function checkSignUp(
  name: string,
  body: BodyOf<typeof SignUp>,
  context: PasswordContext,
): Promise<void> {
  const wrong = {
    ...nameErrors(name),
    ...(await passwordErrors(body.password, context)),
    ...confirmationErrors(body.password, body.password_confirmation),
    ...(body.terms_accepted ? {} : { terms_accepted: 'The terms must be accepted.' }),
  };
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

function emailTaken(): Refusal {
  return invalid({ email: 'The email has already been taken.' });
}
