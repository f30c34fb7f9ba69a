/**
 * Records suspicious refusals of signed-in users: requests to the console without permission, what needs a fresh
 * confirmation without one, and writes without the session's token. After the answer, so that no request waits, and rarely, so that no user can fill the log.
 */
import type { FastifyRequest } from 'fastify';
import { MINUTE } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { permissionsNeeded } from '#platform/http/guards.ts';
import { record } from './audit.ts';

/** By the code of the answer. Other refusals are normal. */
const ACTIONS: Readonly<Record<string, string>> = {
  forbidden: 'auth.admin_refused',
  permission_missing: 'auth.permission_refused',
  csrf_token_mismatch: 'auth.csrf_refused',
};
/** Each route is one entry: an old session that tries them is perhaps a stolen one. */
const UNCONFIRMED = 'auth.confirmation_refused';
/** Between two entries of one user and action; counted in each process. */
const SELDOM_MS = 10 * MINUTE;
/** Enough for an attack with many accounts. */
const MAX_NOTED = 10_000;

export function openRefusals({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const notedAt = new Map<string, number>();

  function isSeldom(key: string): boolean {
    const now = clock().getTime();
    const last = notedAt.get(key);
    if (last !== undefined && now - last < SELDOM_MS) return false;
    notedAt.delete(key);
    notedAt.set(key, now);
    if (notedAt.size > MAX_NOTED) notedAt.delete(notedAt.keys().next().value ?? '');
    return true;
  }

  /** Call after the answer. */
  return function note(request: FastifyRequest): void {
    if (request.answerCode === null) return;
    const { url, config } = request.routeOptions;
    // The route's pattern: a path may contain a token.
    const route = `${request.method} ${config.endpoint?.path ?? url ?? ''}`.trim();
    const isUnconfirmed = request.answerCode === 'confirmation_required';
    const action = isUnconfirmed ? UNCONFIRMED : ACTIONS[request.answerCode];
    const actor = request.session?.member?.actor;
    if (action === undefined || !actor) return;
    if (!isSeldom(`${actor.id} ${action} ${isUnconfirmed ? route : ''}`)) return;
    const [permission] = permissionsNeeded(request);
    const data = { route, ...(action === 'auth.permission_refused' ? { permission } : {}) };
    const origin = { ip: request.ip, requestId: request.id };
    record(db, { actor, origin, action, data }).catch((error: unknown) =>
      log.warn({ err: error }, 'A refusal could not be recorded in the audit log.'),
    );
  };
}
