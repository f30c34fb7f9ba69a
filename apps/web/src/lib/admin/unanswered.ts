/**
 * Words for a deed whose answer was lost, or was a fault of ours or of a proxy, which may have given up
 * waiting. Nobody knows what became of it; the key, the version or the state makes a second press safe.
 */
import type { Failure } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import { faultCodes } from '#lib/api/uncertain.ts';

/** What a form was sent for. */
export type Work = 'save' | 'test' | 'preview';

export function unansweredWords(): Record<string, string> {
  const broken = faultCodes.map((code) => [code, m.admin_unanswered_fault()]);
  return {
    unreachable: m.admin_unanswered(),
    timeout: m.admin_unanswered(),
    ...Object.fromEntries(broken),
  };
}

/** Words for a form that met a fault, by its code: what became of it, what of that which was typed, and what to do. */
export function brokenWords(
  failure: Pick<Failure, 'code'> | null,
  work: Work,
  stays: string,
): Record<string, string> {
  if (failure === null || !faultCodes.includes(failure.code)) return {};
  const broken = {
    save: m.admin_unsaved_broken(),
    test: m.admin_untested_broken(),
    preview: m.admin_unpreviewed_broken(),
  }[work];
  return { [failure.code]: `${broken} ${stays} ${m.admin_unsaved_later()}` };
}
