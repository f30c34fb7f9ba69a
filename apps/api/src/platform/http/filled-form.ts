/**
 * A public form is received once, even if the browser sends it again after a lost answer or a reload. Code
 * that deletes the record must also delete the stored answer (`forgetAnswersNaming`).
 */
import { createHash } from 'node:crypto';
import type { Endpoint } from '@cambist/contract/endpoint';
import { canonical } from '#kernel/canonical.ts';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/db/database.ts';
import { onceNamed } from './idempotency.ts';

interface Filled {
  readonly params: unknown;
  readonly body: { readonly stamp?: string };
}

/** Does `work` once for a filled form; a repetition returns the first result. */
export async function receiveOnce<D extends { readonly db: Db }, Made extends { readonly id: Id }>(
  deps: D,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'status'>,
  { params, body }: Filled,
  work: (deps: D) => Promise<Made>,
): Promise<Made> {
  // Without the actor: a repetition may come after a sign-out.
  const ask = { params, body, actor: null, idempotencyKey: keyOf(body) };
  const { body: made } = await onceNamed(deps, endpoint, ask, work, async (done) => done);
  return made;
}

/** From the stamp and all fields; a form without a stamp is always new. */
function keyOf(form: Filled['body']): string {
  return form.stamp ? createHash('sha256').update(canonical(form)).digest('base64url') : '';
}
