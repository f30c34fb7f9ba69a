/**
 * The email about an action before it is carried out. The action itself runs until it has its email, before any
 * posting to the ledger, and its transaction is rolled back: the preview cannot differ from what will be sent.
 */
import type { previewEmail as endpoint } from '@cambist/contract/desk-actions';
import type { ReplyOf } from '@cambist/contract/endpoint';
import type { Actor } from '#kernel/actor.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Ask } from '#platform/http/serve.ts';
import { previewEmail, type Email } from '#features/email/email.ts';
import { openContext } from '../context.ts';
import { onceReconciled } from '../reconciliation.ts';
import { ask } from './questions.ts';
import { reverseReceipt } from './receipts.ts';
import { refund, returnRefund } from './refunds.ts';
import { reject } from './reject.ts';
import { reopen } from './reopen.ts';

const actions = {
  reject,
  ask,
  refund,
  reverse_receipt: reverseReceipt,
  return_refund: returnRefund,
  reopen,
} as const;

/** Ends the transaction with the email. */
class Written extends Error {
  readonly email: Email;

  constructor(email: Email) {
    super('The action has written its email.');
    this.email = email;
  }
}

/** @throws Refusal as the action does */
export async function previewEmailOf(
  deps: Deps,
  { actor, origin, request, params, body }: Ask<typeof endpoint, Actor>,
): Promise<ReplyOf<typeof endpoint>> {
  const onEmail = (email: Email) => {
    throw new Written(email);
  };
  const context = { ...(await openContext(deps)), onEmail };
  const operator = { who: 'operator', actor, origin, session: request.session } as const;
  const { action, id = '', wants = 'answer', ...given } = body;
  const input = { ...params, ...given, id, wants, reason: given.text };
  try {
    await onceReconciled(deps, () =>
      transaction(deps.db, (tx) => actions[action](context, tx, operator, input)),
    );
  } catch (error) {
    if (!(error instanceof Written)) throw error;
    const { content, to } = error.email;
    const { text } = await previewEmail(deps, content, to.email);
    return { data: { subject: content.subject, text } };
  }
  throw new Error(`The action ${action} has written no email.`);
}
