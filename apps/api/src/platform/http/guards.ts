/**
 * The guards of the four scopes, as hooks before the body is read, and again after a slow body for members
 * and admins. In order: session, CSRF (419), another user's page (409), signed in (401), admin (403, also
 * without a required second factor), last seen (specification, section 4.3).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  anotherPerson,
  permissionsFor,
  personHeader,
  type Permission,
  type Scope,
} from '@cambist/contract/endpoint';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { Refusal, unauthenticated } from '#kernel/refusal.ts';
import { readCookies } from './cookies.ts';
import { checkCsrf, csrfMismatch } from '#platform/security/csrf.ts';
import type { Deps } from '#platform/deps.ts';
import {
  hashSessionId,
  hasJustEnded,
  isAlive,
  isDue,
  isHeld,
  openSession,
  sessionCookieName,
  type MemberSession,
  type Session,
  type SessionBook,
} from '#platform/security/sessions.ts';
import { isForeignWrite, isSafe, isStateful } from './stateful.ts';

export type Guards = Readonly<Record<Scope, (scope: FastifyInstance) => void>>;

type Check = (request: FastifyRequest) => Promise<void>;

/** After a slower body the checks run again: the session may have ended meanwhile. */
const SLOW_MS = SECOND;

const MAX_ADMIN_SESSIONS = 1000;

/** How long a sign-in or a confirmation allows dangerous actions. */
export const FRESH_MS = 10 * MINUTE;

export function isFresh(session: Session | null, now: Date): boolean {
  const confirmedAt = session?.member?.confirmedAt.getTime() ?? 0;
  return now.getTime() - confirmedAt < FRESH_MS;
}

/** Allows a dangerous action only shortly after a sign-in or confirmation. @throws {Refusal} 403 `confirmation_required` */
export function requireFresh(session: Session | null, now: Date): void {
  if (isFresh(session, now)) return;
  throw new Refusal(403, 'confirmation_required', 'Confirm first that it is you.');
}

export function openGuards(
  deps: Pick<Deps, 'config' | 'keys' | 'clock' | 'log'>,
  book: SessionBook,
  lacksTwoFactor: (member: MemberSession) => Promise<boolean>,
): Guards {
  const { config, keys, clock, log } = deps;
  const withBook = { keys, config, book };
  const adminSessions = openAdminSessions(config);

  async function session(request: FastifyRequest): Promise<void> {
    const safe = isSafe(request.method);
    if (!isStateful(request.headers, config)) {
      // The cookies of a foreign page are ignored, so no token can match.
      if (!safe) throw csrfMismatch();
      return;
    }
    const now = clock();
    const found = await openSession(withBook, request.headers.cookie, now);
    request.session = found;
    request.held = (await isGiven(withBook, request)) ? null : found.id;
    if (!safe && isForeignWrite(request.headers, config)) throw csrfMismatch();
    if (!safe) checkCsrf(keys, request.headers, found);
    if (!safe) checkNamedUser(request, found);
    request.actor = found.member?.actor ?? null;
    if (found.member && isDue(found.member, now)) {
      await logFailure(log, book.touch(hashSessionId(found.id), now));
    }
  }

  async function confirmed({ session: found, routeOptions }: FastifyRequest): Promise<void> {
    if (routeOptions.config.endpoint?.fresh) requireFresh(found, clock());
  }

  async function secured({ session: found }: FastifyRequest): Promise<void> {
    if (found?.member && (await lacksTwoFactor(found.member))) {
      throw new Refusal(403, 'two_factor_required', 'Set up a second step for your account first.');
    }
  }

  async function lastSeen(request: FastifyRequest): Promise<void> {
    const member = request.session?.member;
    const now = clock();
    if (member && isDue(member, now)) await logFailure(log, book.seen(member.actor, now));
  }

  /** One hook for all, since each asynchronous one costs a read some percent. */
  function checkAll(scope: FastifyInstance, checks: readonly Check[]): void {
    scope.addHook('onRequest', async (request) => {
      await session(request);
      for (const check of checks) await check(request);
      await lastSeen(request);
      request.recheck = async () => {
        await reloadSession(deps, book, request);
        for (const check of checks) await check(request);
      };
    });
    scope.addHook('preHandler', async (request, { elapsedTime }) => {
      if (!isSafe(request.method) && elapsedTime > SLOW_MS) await request.recheck();
    });
  }

  return {
    public: () => undefined,
    stateful: (scope) => scope.addHook('onRequest', session),
    member: (scope) => checkAll(scope, [signedIn, confirmed]),
    admin(scope) {
      scope.addHook('onRequest', adminSessions.hurry);
      checkAll(scope, [signedIn, admin, adminSessions.remember, secured, permitted, confirmed]);
    },
  };
}

/**
 * Sessions that belonged to an admin at their last request, by cookie: so that even loading the session does
 * not wait behind requests of the public. A customer who requests an admin's path is not among them.
 */
function openAdminSessions(config: Deps['config']) {
  const known = new Set<string>();
  return {
    hurry(request: FastifyRequest, _reply: unknown, next: () => void): void {
      const ids = readCookies(request.headers.cookie).get(sessionCookieName(config.session)) ?? [];
      if (request.context && ids.some((id) => known.has(id))) request.context.urgent = true;
      next();
    },

    async remember({ session, context }: FastifyRequest): Promise<void> {
      if (context) context.urgent = true;
      if (session === null || known.has(session.id)) return;
      known.add(session.id);
      const [oldest] = known;
      if (known.size > MAX_ADMIN_SESSIONS && oldest) known.delete(oldest);
    },
  };
}

/** Whether the answer sets the cookies. Not for a write, which is refused without them, and may be slow. */
async function isGiven(
  deps: Pick<Deps, 'config' | 'keys'> & { readonly book: SessionBook },
  { method, headers, session }: FastifyRequest,
): Promise<boolean> {
  if (session === null || !isSafe(method) || isHeld(deps, headers.cookie, session)) return false;
  return session.member !== null || !(await hasJustEnded(deps, headers.cookie));
}

async function reloadSession(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  book: SessionBook,
  request: FastifyRequest,
): Promise<void> {
  const id = request.session?.id ?? '';
  const found = await book.find(hashSessionId(id));
  const member = found && isAlive(config.session, found, clock()) ? found : null;
  request.session = { id, member };
  request.actor = member?.actor ?? null;
}

/** Reads must work while nothing can be written, such as on a full disk. */
async function logFailure(log: Deps['log'], work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) =>
    log.warn({ err: error }, 'Could not record the use of a session.'),
  );
}

/**
 * Refuses a write from a page that shows one user when another has signed in since in another tab: cookie
 * and token belong to the browser, not to the page.
 * @throws {Refusal} 409 `signed_in_as_another`
 */
function checkNamedUser({ headers }: FastifyRequest, { member }: Session): void {
  const named = headers[personHeader.toLowerCase()]?.toString();
  // For a guest the scope answers 401 where it needs a user.
  if (named === undefined || member === null || named === member.actor.id) return;
  const message = 'Another person is signed in in this browser now. Reload the page.';
  throw new Refusal(409, anotherPerson, message);
}

async function signedIn(request: FastifyRequest): Promise<void> {
  if (request.actor === null) throw unauthenticated();
}

async function admin(request: FastifyRequest): Promise<void> {
  if (request.actor?.role !== 'admin') {
    throw new Refusal(403, 'forbidden', 'This action is unauthorized.');
  }
}

async function permitted(request: FastifyRequest): Promise<void> {
  // An unknown path needs none: it is 404 for any admin.
  const needed = permissionsNeeded(request);
  const [first] = needed;
  if (first === undefined || needed.some((each) => request.actor?.permissions.includes(each))) {
    return;
  }
  throw new Refusal(403, 'permission_missing', `This action needs the permission "${first}".`);
}

/** Any one of these is enough; an empty list needs none. */
export function permissionsNeeded(
  request: Pick<FastifyRequest, 'routeOptions' | 'params'>,
): readonly Permission[] {
  const { endpoint } = request.routeOptions.config;
  return endpoint === undefined ? [] : permissionsFor(endpoint, { ...Object(request.params) });
}
