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
  'token',
  'quote_token',
  'secret',
  'appKey',
  'databaseUrl',
]);
/** PostgreSQL tells the whole row that broke a rule: password hashes, account numbers. */
const ERROR_DETAIL = 'detail';
const CENSORED = '[secret]';
/** No line is written that is deeper; a circle ends here too. */
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
      log: (line: object) => censored(line) as Record<string, unknown>,
    },
  };
  return pino(options, destination);
}

/** A copy of what is to be written, without what is named as a secret, however deep. */
function censored(value: unknown, depth = 0, inError = false): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth === MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return censored(pino.stdSerializers.err(value), depth, true);
  if (Array.isArray(value)) return value.map((part) => censored(part, depth + 1, inError));
  const copy: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const hidden = SECRET_NAMES.has(name) || (inError && name === ERROR_DETAIL);
    copy[name] = hidden ? CENSORED : censored(part, depth + 1, inError);
  }
  return copy;
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
