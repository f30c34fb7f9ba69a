/** Answers requests that reach no route, in the shape of all errors: invalid HTTP and unknown paths. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, notFound } from '#kernel/refusal.ts';

const ANSWERS: Readonly<Record<string, readonly [status: string, code: string, message: string]>> =
  {
    HPE_HEADER_OVERFLOW: [
      '431 Request Header Fields Too Large',
      'headers_too_large',
      'The headers are too large.',
    ],
    ERR_HTTP_REQUEST_TIMEOUT: [
      '408 Request Timeout',
      'request_timeout',
      'The request took too long.',
    ],
  };
const BAD_REQUEST = ['400 Bad Request', 'bad_request', 'The request is not valid HTTP.'] as const;

/** What Node could not parse as HTTP never becomes a request. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, code, message] = ANSWERS[error.code ?? ''] ?? BAD_REQUEST;
  const body = JSON.stringify({ message, code });
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

export interface KnownPath {
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
}

export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Answers 405 with `Allow` if another method is known, else 404. */
export function openUnknownPaths(known: readonly KnownPath[]): AnswerUnknown {
  const patterns = known.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    );
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0) throw notFound();
    reply.header('allow', [...methods].toSorted().join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new Refusal(
      405,
      'method_not_allowed',
      `The ${request.method} method is not supported for this address.`,
    );
  };
}
