/** Runs an action on an exchange for a request: settings read, one transaction, idempotent. */
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import type { Actor } from '#kernel/actor.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { idempotent, keyedAsk, type IdempotentAnswer } from '#platform/http/idempotency.ts';
import type { Ask } from '#platform/http/serve.ts';
import { openContext, type ExchangeContext } from '../context.ts';

type Given<Part> = Part extends undefined ? unknown : Part;
/** Path, query and body parameters together. */
export type InputOf<E> = Given<ParamsOf<E>> & Given<QueryOf<E>> & Given<BodyOf<E>>;

/** An action within its transaction; returns the reply's body. */
export type Action<E, By> = (
  context: ExchangeContext,
  tx: Tx,
  by: By,
  input: InputOf<E>,
) => Promise<ReplyOf<E>>;

/**
 * Once for each Idempotency-Key. An endpoint without keys has actions that are idempotent or
 * refused by their version.
 * @throws Refusal as the action does
 */
export async function runAction<E extends Endpoint, By>(
  deps: Deps,
  endpoint: E,
  asked: Ask<E, Actor>,
  by: By,
  action: Action<E, By>,
): Promise<ReplyOf<E> | IdempotentAnswer<ReplyOf<E>>> {
  const context = await openContext(deps);
  const input = Object.assign({}, asked.params, asked.query, asked.body) as InputOf<E>;
  const act = (tx: Tx) => action(context, tx, by, input);
  if (!endpoint.idempotent) return transaction(deps.db, act);
  return idempotent(deps, keyedAsk(endpoint, asked), act);
}
