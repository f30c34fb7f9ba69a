/**
 * Structured logs on standard output, one JSON object a line, without headers, bodies and query strings; known
 * names of secrets are censored, in case an object is logged by mistake.
 */
import { pino, symbols, type DestinationStream, type Logger } from 'pino';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { withSourceLines } from './source-lines.ts';

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
/** PostgreSQL reports the whole row that broke a constraint: password hashes, account numbers. */
const ERROR_DETAIL = 'detail';
const CENSORED = '[secret]';
/** For an object that is already in the same line. */
const SEEN = '[seen]';
const MAX_DEPTH = 8;

export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  // Not pino's own, whose last write never returns when the reader is gone. That is no error here.
  destination: DestinationStream = process.stdout,
): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      // The library's own redaction took a tenth of a public read, and only covers fixed depths.
      log: censored,
    },
    // The formatter has serialized errors already.
    serializers: { err: (error: unknown) => error },
  };
  const log = pino(options, destination);
  // The bindings of a child bypass the formatter. Its own children inherit this function.
  const { child } = log;
  log.child = function censoredChild(this: Logger, bindings, ...more) {
    return child.call(this, censored(bindings), ...more);
  } as typeof child;
  return log;
}

/** A copy without secrets at any depth. */
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
  for (const [name, part] of Object.entries(value instanceof Error ? fieldsOf(value) : value)) {
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

/** Class, message and stack of an error and its causes, and its own properties. */
function fieldsOf(error: Error): object {
  const chain: Error[] = [];
  for (let next: unknown = error; next instanceof Error && !chain.includes(next); next = next.cause)
    chain.push(next);
  return {
    ...error,
    type: error.constructor.name,
    message: chain.map(({ message }) => message).join(': '),
    stack: withSourceLines(chain.map(({ stack }) => stack).join('\ncaused by: ')),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  };
}

/** One line for each answer, readable at a terminal. */
export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  /** The route's pattern: a path may contain a token. Null for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly ip: string;
  readonly actorId?: string | undefined;
}

export type AnswerLog = (request: AnsweredRequest) => void;

const TOGETHER_MS = 20;
process.stdout.on('error', () => undefined);
const unwritten = new Set<() => void>();
process.on('exit', () => {
  for (const write of unwritten) write();
});

/**
 * Logs answered requests. The line is made here: pino would take a tenth of a public read for it. No field has a
 * secret; all but the address, which a caller may have made up, consist of characters that JSON does not escape.
 */
export function openAnswerLog(log: FastifyBaseLogger): AnswerLog {
  const { isLevelEnabled, [symbols.streamSym]: stream } = log as Logger & {
    [symbols.streamSym]: DestinationStream;
  };
  const isEnabled = {
    info: isLevelEnabled.call(log, 'info'),
    warn: isLevelEnabled.call(log, 'warn'),
  };
  // Some are written together: a write takes as long as a public read.
  const lines: string[] = [];
  const write = () => {
    unwritten.delete(write);
    stream.write(lines.splice(0).join(''));
  };
  // Written once a millisecond: it takes longer than the rest of a line.
  let now = 0;
  let time = '';
  return ({ id, method, route, status, code, ms, ip, actorId }) => {
    const level = status >= 500 ? 'warn' : 'info';
    if (!isEnabled[level]) return;
    const fields =
      `"request_id":"${id}","method":"${method}","route":${route === null ? 'null' : `"${route}"`}` +
      `,"status":${status}${code === null ? '' : `,"code":"${code}"`},"ms":${ms}` +
      `,"ip":${JSON.stringify(ip)}${actorId === undefined ? '' : `,"actor_id":"${actorId}"`}`;
    const words = `${method} ${route ?? 'an unknown path'} answered ${status}${code === null ? '' : ` ${code}`} in ${ms} ms.`;
    if (now !== Date.now()) {
      now = Date.now();
      time = new Date(now).toISOString();
    }
    lines.push(`{"level":"${level}","time":"${time}",${fields},"msg":"${words}"}\n`);
    if (lines.length > 1) return;
    unwritten.add(write);
    setTimeout(write, TOGETHER_MS).unref();
  };
}
