/**
 * Turns everything thrown into an answer. A `Refusal` is shown to the caller; everything else is a defect,
 * logged with the request id and answered without detail: no stack, no SQL, no path.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, invalid, notFound } from '#kernel/refusal.ts';
import { NoConnection } from '#platform/db/connections.ts';
import { ConnectionLost } from '#platform/db/database-client.ts';
import { sqlState } from '#platform/db/database.ts';
import { MissingAppKey } from '#platform/security/keys.ts';
import { malformed, refusalOf } from './validation.ts';

/**
 * The database does not answer, or the process has no more file descriptors (EMFILE, ENFILE). Missing
 * permissions (EACCES, EPERM, EROFS) are a defect of the installation and stay a 500.
 */
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EMFILE',
  'ENFILE',
  'ENOTFOUND',
  'EPIPE',
]);
/**
 * SQLSTATEs of a server that cannot serve now: no connection (08), out of resources (53), starting or
 * stopping (57P), a standby (25006), idle in transaction (25P03), a disk error (58030), and lock conflicts.
 */
const UNAVAILABLE_STATES = /^(08|53|57P|25006|25P03|58030|40001|40P01|55P03|57014)/;
/** No room on the disk of the files, or of the database. */
const STORAGE_FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);
const RETRY_AFTER_SECONDS = 5;
const STORAGE_RETRY_AFTER_SECONDS = 60;

const FRAMEWORK_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed,
  FST_ERR_CTP_INVALID_JSON_BODY: malformed,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed,
  FST_ERR_BAD_URL: notFound,
  FST_ERR_ASYNC_CONSTRAINT: notFound,
  FST_ERR_MAX_PARAM_LENGTH: notFound,
  FST_ERR_HANDLER_TIMEOUT: unavailable,
};

export function tooLarge(): Refusal {
  return new Refusal(413, 'payload_too_large', 'The request body is too large.');
}

export function unsupportedMediaType(): Refusal {
  return new Refusal(415, 'unsupported_media_type', 'This content type is not supported.');
}

/** Temporary: overload, a time-out, or a database that is down. */
export function unavailable(internal?: string): Refusal {
  return new Refusal(503, 'service_unavailable', 'Service Unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(internal === undefined ? {} : { internal }),
  });
}

export function storageFull(internal: string): Refusal {
  return new Refusal(503, 'storage_full', 'There is no room to store this. Try again later.', {
    retryAfterSeconds: STORAGE_RETRY_AFTER_SECONDS,
    internal,
  });
}

/** The error handler of the whole application. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof MissingAppKey) {
    request.log.error({ err: error }, 'APP_KEY is missing.');
    request.answerCode = 'missing_app_key';
    reply
      .code(500)
      .send({ message: error.message, exception: error.name, code: 'missing_app_key' });
    return;
  }
  const refusal = refusalFor(error, request);
  if (refusal === null) {
    reply.code(500).send({ message: 'Server Error', code: 'server_error' });
    return;
  }
  sendRefusal(refusal, request, reply);
}

/** The refusal to show to the caller; null for a defect, which is logged. */
export function refusalFor(error: unknown, request: FastifyRequest): Refusal | null {
  const refusal = toRefusal(error, request);
  if (refusal === null) request.log.error({ err: error }, 'A request failed.');
  request.answerCode = refusal?.code ?? 'server_error';
  return refusal;
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const { errors, rateChange, conflict, retryAfterSeconds, replayed, internal } = refusal.detail;
  if (internal !== undefined) request.log.warn({ code: refusal.code, internal }, refusal.message);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (replayed) reply.header('idempotency-replayed', 'true');
  reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({
      message: refusal.message,
      code: refusal.code,
      ...(errors ? { errors } : {}),
      ...(rateChange ? { rate_change: rateChange } : {}),
      ...(conflict ? { conflict } : {}),
    });
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const { code = '', validation, validationContext } = error as FastifyError;
  if (validation) return refusalOf(validation, validationContext ?? 'body', request);
  const upload = request.routeOptions.config.endpoint?.upload;
  const known = FRAMEWORK_REFUSALS[code];
  if (known) return known();
  if (upload !== undefined && /^FST_(PARTS|FILES|FIELDS|PROTO|MP|REQ)_/.test(code)) {
    return invalid({ [upload]: `The ${upload} failed to upload.` });
  }
  const state = sqlState(error);
  const internal = `${error.name}: ${code || error.message}`;
  if (STORAGE_FULL.has(code || state)) return storageFull(internal);
  return isUnavailable(error, code, state) ? unavailable(internal) : null;
}

function isUnavailable(error: Error, code: string, state: string): boolean {
  if (error instanceof ConnectionLost || error instanceof NoConnection) return true;
  // By address or by socket file.
  const connecting = 'syscall' in error && error.syscall === 'connect';
  return connecting || UNAVAILABLE.has(code) || UNAVAILABLE_STATES.test(state);
}
