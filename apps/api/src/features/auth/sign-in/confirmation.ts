/**
 * Confirming freshly who one is, before a dangerous act: the session then counts
 * as just signed in for ten minutes. Each way to do it is one entry of `ways`.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { confirmIdentity as ConfirmIdentity } from '@cambist/contract/accounts';
import type { Actor } from '#kernel/actor.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import { FRESH_MS } from '#platform/http/guards.ts';
import { hashSessionId } from '#platform/security/sessions.ts';
import type { Attempts } from './attempts.ts';
import type { AuthDeps, Visit } from '../sessions/member-sessions.ts';
import { isOwnPassword } from '../password/own-password.ts';
import {
  proveByCode,
  proveByRecoveryCode,
  provePasskey,
} from '../second-factor/second-factor-proofs.ts';
import { tellOfRecoveryCode } from '../second-factor/second-step.ts';
import * as store from '../store.ts';

export type ConfirmationBody = BodyOf<typeof ConfirmIdentity>;

/** Who confirms, from where, and what they gave. */
export interface Confirming {
  readonly deps: AuthDeps;
  readonly attempts: Attempts;
  readonly visit: Visit;
  readonly user: store.UserRow;
}

interface Way<Field extends keyof ConfirmationBody> {
  /** Answers whether what was given proves it; counts what does not. */
  readonly proves: (
    by: Confirming,
    given: NonNullable<ConfirmationBody[Field]>,
  ) => Promise<boolean>;
  readonly wrong: string;
}

const ways: { readonly [Field in keyof ConfirmationBody]?: Way<Field> } = {
  password: {
    proves: async ({ deps, attempts, visit, user }, password) => {
      // Whoever has taken a session and the password must not be able to take the factor off.
      if (user.two_factor_at !== null) {
        throw invalid({ password: 'Confirm with your second step.' });
      }
      return isOwnPassword(deps, attempts, visit, user, password);
    },
    wrong: 'The password is not right.',
  },
  code: {
    proves: ({ deps, attempts, user }, code) => proveByCode(deps, attempts.codes, user.id, code),
    wrong: 'This code is not right. Try the one shown now.',
  },
  recovery_code: {
    proves: async ({ deps, attempts, user }, code) => {
      if (!(await proveByRecoveryCode(deps, attempts.codes, user.id, code))) return false;
      await transaction(deps.db, (tx) => tellOfRecoveryCode(deps, tx, user.id));
      return true;
    },
    wrong: 'This recovery code is not right, or was used before.',
  },
  passkey: {
    proves: async ({ deps, visit: { session }, user }, passkey) =>
      session !== null && provePasskey(deps, session, user.id, passkey),
    wrong: 'This passkey was not accepted.',
  },
};

/** @throws {Refusal} 422 by field; 429 after too many failures; 401 when the session ended meanwhile */
export async function confirmIdentity(
  deps: AuthDeps,
  attempts: Attempts,
  visit: Visit,
  actor: Actor,
  body: ConfirmationBody,
): Promise<{ confirmed_until: string }> {
  const user = await store.findUser(deps.db, actor.id);
  if (!user || !visit.session) throw ended();
  await prove({ deps, attempts, visit, user }, body);
  const now = deps.clock();
  const idHash = hashSessionId(visit.session.id);
  await transaction(deps.db, async (tx) => {
    // A change of the password at this moment has ended this session too.
    if (!(await store.updateSessionConfirmed(tx, idHash, now))) throw ended();
    await record(tx, { actor, origin: visit.origin, action: 'auth.confirmed' });
  });
  return { confirmed_until: new Date(now.getTime() + FRESH_MS).toISOString() };
}

async function prove(by: Confirming, body: ConfirmationBody): Promise<void> {
  const given = (Object.keys(body) as (keyof ConfirmationBody)[]).filter(
    (field) => body[field] !== undefined,
  );
  const [field] = given;
  if (field === undefined || given.length > 1) {
    throw invalid({ password: 'Confirm with one of password, code, recovery code or passkey.' });
  }
  await proveBy(by, field, body);
}

async function proveBy<Field extends keyof ConfirmationBody>(
  by: Confirming,
  field: Field,
  body: ConfirmationBody,
): Promise<void> {
  const way: Way<Field> | undefined = ways[field];
  const given = body[field];
  if (!way || given === undefined) throw invalid({ [field]: 'This cannot be used to confirm.' });
  if (await way.proves(by, given as NonNullable<ConfirmationBody[Field]>)) return;
  throw invalid({ [field]: way.wrong });
}

function ended(): Refusal {
  return new Refusal(401, 'unauthenticated', 'Unauthenticated.');
}
