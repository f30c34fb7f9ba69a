/** Tells caches of public answers when something in them has changed, in any process. */
import { PassThrough } from 'node:stream';
import { followPublicChanges } from '@cambist/contract/public-changes';
import { SECOND } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Feature } from '#platform/feature.ts';
import { runInBackground } from '#platform/http/request-context.ts';

/** A cache that hears nothing for some seconds takes the stream for broken. */
const HEARTBEAT_MS = SECOND;
/** For the frontend's processes; others can ask with an ETag. */
const MAX_STREAMS = 50;
const CHANGE = 'event: change\ndata:\n\n';

export const publicChanges: Feature = {
  name: 'public-changes',
  routes(ways, { published }) {
    const streams = new Set<PassThrough>();
    let listening: Promise<void> | null = null;
    const listen = () =>
      published.listen(
        () => streams.forEach((stream) => write(stream, CHANGE)),
        // Changes may have been missed: the cache begins again.
        () => streams.forEach((stream) => stream.end()),
      );

    ways.public.serve(followPublicChanges, async ({ reply, request }) => {
      listening ??= listen();
      await listening.catch((error: unknown) => {
        listening = null;
        throw error;
      });
      if (streams.size >= MAX_STREAMS) {
        throw new Refusal(429, 'too_many_streams', 'Too many caches follow the changes.', {
          retryAfterSeconds: 10,
        });
      }
      reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send();
      const stream = new PassThrough();
      streams.add(stream);
      const heartbeat = runInBackground(() =>
        setInterval(() => write(stream, ': heartbeat\n\n'), HEARTBEAT_MS).unref(),
      );
      stream.once('close', () => {
        clearInterval(heartbeat);
        streams.delete(stream);
      });
      write(stream, CHANGE);
      return reply.send(stream);
    });
  },
};

/** A reader that does not read is disconnected. */
function write(stream: PassThrough, text: string): void {
  if (stream.writableLength > 0) stream.destroy();
  else if (stream.writable) stream.write(text);
}
