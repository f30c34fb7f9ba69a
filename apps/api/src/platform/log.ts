/**
 * Structured logs on standard output, one JSON object a line, without secrets:
 * no headers, no bodies, no query strings, and the known names are censored
 * wherever somebody logs an object by mistake.
 */
import { pino, type DestinationStream, type Logger } from 'pino';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-xsrf-token',
  'password',
  'password_confirmation',
  'password_hash',
  'taken_password_hash',
  'token',
  'quote_token',
  'secret',
  'appKey',
  'databaseUrl',
]);
/** PostgreSQL tells the whole row that broke a rule: password hashes, account numbers. */
const ERROR_DETAIL = 'detail';
const CENSORED = '[secret]';
/** Written for an object that stands in the same line already: circles and graphs end here. */
const SEEN = '[seen]';
/** No line is written that is deeper. */
const MAX_DEPTH = 8;

/** Writes to standard output unless told another place. */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      // The library's own redaction reads its paths anew for each request's logger, which took
      // a tenth of a public read, and ends at the depth that the paths name.
      log: censored,
    },
    // The formatter has written errors already; the library would take their copies for objects.
    serializers: { err: (error: unknown) => error },
  };
  const log = pino(options, destination);
  // What a child is bound to passes by the formatter. Its own children inherit this one.
  const { child } = log;
  log.child = function censoredChild(this: Logger, bindings, ...more) {
    return child.call(this, censored(bindings), ...more);
  } as typeof child;
  return log;
}

/** A copy of what is to be written, without what is named as a secret, however deep. */
function censored(line: object): Record<string, unknown> {
  return copied(line, { depth: 0, inError: false, seen: new Set([line]) });
}

interface Place {
  readonly depth: number;
  readonly inError: boolean;
  readonly seen: Set<object>;
}

function copied(value: object, place: Place): Record<string, unknown> {
  const inError = place.inError || value instanceof Error;
  const inside = { ...place, depth: place.depth + 1, inError };
  const copy: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value instanceof Error ? told(value) : value)) {
    const hidden = SECRET_NAMES.has(name) || (inError && name === ERROR_DETAIL);
    copy[name] = hidden ? CENSORED : written(part, inside);
  }
  return copy;
}

function written(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (place.seen.has(value)) return SEEN;
  if (place.depth === MAX_DEPTH) return '[deep]';
  place.seen.add(value);
  if (!Array.isArray(value)) return copied(value, place);
  const inside = { ...place, depth: place.depth + 1 };
  return value.map((part) => written(part, inside));
}

/** What a line says of an error: its class, what it says and why, where, and what was added to it. */
function told(error: Error): object {
  const chain: Error[] = [];
  for (let next: unknown = error; next instanceof Error && !chain.includes(next); next = next.cause)
    chain.push(next);
  return {
    ...error,
    type: error.constructor.name,
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the refusal or defect that it was answered with; null for a success. */
    answerCode: string | null;
  }
}

/**
 * One line for each answer, which says it all in its words too, for whoever reads
 * them at a terminal. The route's pattern, not the path: a path may hold a token.
 */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { method, answerCode: code } = request;
  const { statusCode: status } = reply;
  const route = request.routeOptions.url ?? null;
  const ms = Math.round(reply.elapsedTime);
  const line = {
    method,
    route,
    status,
    ...(code === null ? {} : { code }),
    ms,
    ip: request.ip,
    ...(request.actor ? { actor_id: request.actor.id } : {}),
  };
  const outcome = code === null ? String(status) : `${status} ${code}`;
  const words = `${method} ${route ?? 'an unknown path'} answered ${outcome} in ${ms} ms.`;
  if (status >= 500) request.log.warn(line, words);
  else request.log.info(line, words);
}
