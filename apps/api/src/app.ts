/**
 * The application: hooks of every request, the four scopes with their guards, and the error answer. A route's
 * guards come from its scope, never from its path, so no spelling of a path gets around them.
 */
import multipart from '@fastify/multipart';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import { lacksTwoFactor } from '#features/auth/second-factor/two-factor-policy.ts';
import { openMemberSessions } from '#features/auth/sessions/sessions.ts';
import { SECOND } from '#kernel/clock.ts';
import { openRefusals } from '#features/audit/refusals.ts';
import { compileLazily } from '#platform/http/compilers.ts';
import { applyCors } from '#platform/http/cors.ts';
import type { Deps } from '#platform/deps.ts';
import { OPENAPI_PATHS, serveOpenApi } from '#platform/openapi/contract-pages.ts';
import { answerError, tooLarge } from '#platform/http/errors.ts';
import { tasksOf, type Feature } from '#platform/feature.ts';
import { openGuards } from '#platform/http/guards.ts';
import { HEALTH_PATHS, openHealth, type Health } from '#platform/health.ts';
import { openAnswerLog, type AnswerLog } from '#platform/log.ts';
import { sendReadyAnswers } from '#platform/http/ready-answers.ts';
import { shedLoad } from '#platform/http/overload.ts';
import {
  answerClientError,
  openUnknownPaths,
  type AnswerUnknown,
} from '#platform/http/unroutable.ts';
import {
  requestContext,
  requestId,
  runInBackground,
  runInRequest,
  type RequestContext,
} from '#platform/http/request-context.ts';
import {
  JSON_LIMIT_BYTES,
  UPLOAD_TIMEOUT_MS,
  collectWays,
  type AnyEndpoint,
} from '#platform/http/serve.ts';
import { sessionCookies } from '#platform/security/sessions.ts';
import { countRequest, openThrottles, type Throttles } from '#platform/security/throttles.ts';
import { parseJsonOnly } from '#platform/http/validation.ts';

/** A registered route, for the test that lists them all. */
export interface Registered {
  readonly methods: readonly string[];
  readonly url: string;
  readonly endpoint: AnyEndpoint | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    health: Health;
    registered: Registered[];
  }
  interface FastifyRequest {
    context: RequestContext | null;
  }
}

const HEADERS_TIMEOUT_MS = 10 * SECOND;
const KEEP_ALIVE_MS = 65 * SECOND;

const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  // An origin that may not read an answer by CORS may not embed it either.
  'cross-origin-resource-policy': 'same-site',
  'cache-control': 'no-store',
};
const HSTS = 'max-age=31536000; includeSubDomains';

/** Builds the application, without listening. `shedsLoad`: whether to refuse public reads under load; off in tests. */
export async function buildApp(
  deps: Deps,
  features: readonly Feature[],
  { shedsLoad = true } = {},
): Promise<FastifyInstance> {
  const { config } = deps;
  const app = newInstance(deps);
  app.setErrorHandler(answerError);
  parseJsonOnly(app);
  compileLazily(app);
  const headers = config.appUrl.startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': HSTS }
    : SECURITY_HEADERS;
  const logAnswer = openAnswerLog(deps.log);
  addHooks(app, deps, { headers, logAnswer });
  if (shedsLoad) await shedLoad(app);
  await app.register(multipart, {
    limits: { files: 1, fields: 4, parts: 5, headerPairs: 50 },
  });
  app.decorate('health', openHealth(app, deps));
  const throttles = openThrottles(deps, config.throttleScale);
  await addScopes(app, deps, features, throttles);
  sendReadyAnswers(app, deps, { headers, throttles, logAnswer });
  return app;
}

function newInstance({ config, log }: Deps): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    genReqId: requestId,
    // The longest of all routes; others set shorter ones.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    bodyLimit: JSON_LIMIT_BYTES,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      applyCors(config, request, reply);
      reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
      answerError(error, request, reply);
    },
  });
}

/**
 * Hooks of every request, in order: headers, CORS, size. They use callbacks: each promise would cost every
 * public read a few percent.
 */
function addHooks(
  app: FastifyInstance,
  deps: Deps,
  { headers, logAnswer }: { headers: Readonly<Record<string, string>>; logAnswer: AnswerLog },
): void {
  const { config } = deps;
  app.decorate('registered', []);
  app.addHook('onRoute', ({ method, url, config: { endpoint = null } = {} }) => {
    app.registered.push({ methods: [method].flat(), url, endpoint });
  });
  app.decorateRequest('actor', null);
  app.decorateRequest('answerCode', null);
  app.decorateRequest('session', null);
  app.decorateRequest('held', null);
  app.decorateRequest('recheck', async () => undefined);
  addRequestContext(app);
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (applyCors(config, request, reply)) {
      reply.code(204).send();
      return;
    }
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > (request.routeOptions.bodyLimit ?? JSON_LIMIT_BYTES)) throw tooLarge();
    next();
  });
  setCookies(app, deps);
  endConnectionsOnClose(app);
  const noteRefusal = openRefusals(deps);
  app.addHook('onResponse', (request, reply, next) => {
    const { id, method, ip, answerCode: code, actor, routeOptions } = request;
    logAnswer({
      id,
      method,
      route: routeOptions.url ?? null,
      status: reply.statusCode,
      code,
      ms: Math.round(reply.elapsedTime),
      ip,
      actorId: actor?.id,
    });
    // The request is over by now.
    runInBackground(() => noteRefusal(request));
    next();
  });
}

/** Sets the request context for the pool. */
function addRequestContext(app: FastifyInstance): void {
  app.decorateRequest('context', null);
  app.addHook('onRequest', (request, reply, next) => {
    request.context = {
      response: reply.raw,
      urgent: false,
      startedAt: performance.now(),
      begun: false,
    };
    runInRequest(request.context, next);
  });
  // A body is read in events of the socket, which belong to no request, or to another one.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.context === null || requestContext() === request.context) next();
    else runInRequest(request.context, next);
  });
}

/** Sets the cookies that the browser does not have yet, also on errors: a client gets its first token with a 401. */
function setCookies(app: FastifyInstance, deps: Deps): void {
  app.addHook('onSend', ({ session, held }, reply, _payload, next) => {
    if (session !== null && session.id !== held) {
      reply.header('set-cookie', sessionCookies(deps, session, deps.clock()));
    }
    next();
  });
}

/**
 * The framework closes idle connections. Active ones get `Connection: close`, or a browser would hold them open
 * for a minute; endless streams are cut off, and their clients reconnect.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  const endless = new Set<ServerResponse>();
  let closing = false;
  app.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.config.endpoint?.streams) {
      endless.add(reply.raw);
      reply.raw.once('close', () => endless.delete(reply.raw));
    }
    next();
  });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (closing) reply.header('connection', 'close');
    next();
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const answer of endless) answer.destroy();
  });
}

/** Collects the endpoints of all features, then registers each in its scope, behind its guards. */
async function addScopes(
  app: FastifyInstance,
  deps: Deps,
  features: readonly Feature[],
  throttles: Throttles | null,
): Promise<void> {
  const { ways, promised, into } = collectWays();
  const tasks = tasksOf(features, deps);
  for (const feature of features) feature.routes?.(ways, deps, tasks);

  serveOpenApi(app, deps.config, promised);
  const unknown = openUnknownPaths([...promised, ...HEALTH_PATHS, ...OPENAPI_PATHS]);
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) unknown(request, reply);
    else next();
  });
  const guards = openGuards(deps, openMemberSessions(deps.db), ({ actor, hasTwoFactor }) =>
    lacksTwoFactor(deps, { role: actor.role, hasTwoFactor }),
  );
  for (const name of ['public', 'stateful', 'member', 'admin'] as const) {
    await app.register(async (scope) => {
      guards[name](scope);
      if (throttles !== null) scope.addHook('preParsing', countRequest(throttles));
      into(name, scope);
      // Unknown paths of admins: 401 and 403 come before 404.
      if (name === 'admin') guardUnknownPaths(scope, unknown);
    });
  }
}

function guardUnknownPaths(scope: FastifyInstance, unknown: AnswerUnknown): void {
  for (const url of ['/api/admin', '/api/admin/', '/api/admin/*']) {
    scope.all(url, {
      onRequest: async (request, reply) => unknown(request, reply),
      handler: async (request, reply) => unknown(request, reply),
    });
  }
}
