/**
 * The one place where something thrown becomes an answer. A `Refusal` is what
 * the caller may hear; everything else is a defect, logged with the request id
 * and answered without detail: no stack, no SQL, no path.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, invalid, notFound } from '#kernel/refusal.ts';
import { ConnectionLost } from './connections.ts';
import { sqlState } from './database.ts';
import { MissingAppKey } from './keys.ts';
import { malformed, refusalOf } from './validation.ts';

/** The database does not answer, is starting or stopping, or is too busy with others' locks. */
const UNREACHABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);
const RETRY_AFTER_SECONDS = 5;

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

/** 503 for a while: overload, a time-out, or a database that is away. */
export function unavailable(internal?: string): Refusal {
  return new Refusal(503, 'service_unavailable', 'Service Unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(internal === undefined ? {} : { internal }),
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
  const refusal = hear(error, request);
  if (refusal === null) {
    reply.code(500).send({ message: 'Server Error', code: 'server_error' });
    return;
  }
  sendRefusal(refusal, request, reply);
}

/** What a caller may hear of an error; null for a defect, which is logged. */
export function hear(error: unknown, request: FastifyRequest): Refusal | null {
  const refusal = toRefusal(error, request);
  if (refusal === null) request.log.error({ err: error }, 'A request failed.');
  request.answerCode = refusal?.code ?? 'server_error';
  return refusal;
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const { errors, rateChange, retryAfterSeconds, replayed, internal } = refusal.detail;
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
  if (isUnreachable(error, code)) return unavailable(`${error.name}: ${code || error.message}`);
  return null;
}

function isUnreachable(error: Error, code: string): boolean {
  // Whatever cannot be connected to, by address or by socket file, is away.
  const connecting = 'syscall' in error && error.syscall === 'connect';
  const refused = UNREACHABLE.has(code) || UNREACHABLE.has(sqlState(error));
  return connecting || refused || error instanceof ConnectionLost;
}
