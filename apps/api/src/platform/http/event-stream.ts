/** Server-sent events. */
import type { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A reader with a larger backlog is disconnected. */
const MAX_UNREAD_BYTES = 16 * 1024;

export function writeEvents(stream: PassThrough, text: string | Buffer): void {
  if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
  else if (stream.writable) stream.write(text);
}

export function sendEvents(reply: FastifyReply, stream: PassThrough): FastifyReply {
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // For proxies that buffer responses.
      .header('x-accel-buffering', 'no')
      .send(stream)
  );
}
