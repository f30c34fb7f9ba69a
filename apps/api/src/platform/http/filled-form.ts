/**
 * What visitors send with a public form is received once, however often the filled form is sent: by
 * a press after a lost answer, or a reload. Who deletes what came of it forgets the answer with it
 * (`forgetAnswersNaming`), so that the form is received anew.
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

/** Does `work` once for a filled form, and gives again what it made then. */
export async function receiveOnce<D extends { readonly db: Db }, Made extends { readonly id: Id }>(
  deps: D,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'status'>,
  { params, body }: Filled,
  work: (deps: D) => Promise<Made>,
): Promise<Made> {
  // Whose session it is says nothing: what is sent again may come after a sign-out.
  const ask = { params, body, actor: null, idempotencyKey: keyOf(body) };
  const { body: made } = await onceNamed(deps, endpoint, ask, work, async (done) => done);
  return made;
}

/** Of the stamp and all that is typed: other words are another message, and so is a form without a stamp. */
function keyOf(form: Filled['body']): string {
  return form.stamp ? createHash('sha256').update(canonical(form)).digest('base64url') : '';
}
