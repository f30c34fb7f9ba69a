/** Answers what Node could not parse as HTTP, in the shape of all errors. */
import type { Socket } from 'node:net';

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
