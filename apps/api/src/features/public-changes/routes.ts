/** Tells caches of public answers when something in them has changed, in any process. */
import { PassThrough } from 'node:stream';
import { followPublicChanges } from '@cambist/contract/public-changes';
import { SECOND } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Feature } from '#platform/feature.ts';
import { sendEvents, writeEvents } from '#platform/http/event-stream.ts';
import { runInBackground } from '#platform/http/request-context.ts';

/** A cache that hears nothing for some seconds takes the stream for broken. */
const HEARTBEAT_MS = SECOND;
/** For the frontend's processes; nobody else takes their places. */
const MAX_PER_ADDRESS = 8;
const MAX_STREAMS = 500;
const CHANGE = 'event: change\ndata:\n\n';

export const publicChanges: Feature = {
  name: 'public-changes',
  routes(ways, { published }) {
    /** Each with the address of its reader. */
    const streams = new Map<PassThrough, string>();
    let listening: Promise<void> | null = null;
    const listen = () =>
      published.listen(
        () => streams.forEach((_, stream) => writeEvents(stream, CHANGE)),
        // Changes may have been missed: the cache begins again.
        () => streams.forEach((_, stream) => stream.end()),
      );

    ways.public.serve(followPublicChanges, async ({ reply, request }) => {
      listening ??= listen();
      await listening.catch((error: unknown) => {
        listening = null;
        throw error;
      });
      const own = [...streams.values()].filter((ip) => ip === request.ip).length;
      if (own >= MAX_PER_ADDRESS || streams.size >= MAX_STREAMS) {
        throw new Refusal(429, 'too_many_streams', 'Too many caches follow the changes.', {
          retryAfterSeconds: 10,
        });
      }
      const stream = new PassThrough();
      streams.set(stream, request.ip);
      const heartbeat = runInBackground(() =>
        setInterval(() => writeEvents(stream, ': heartbeat\n\n'), HEARTBEAT_MS).unref(),
      );
      stream.once('close', () => {
        clearInterval(heartbeat);
        streams.delete(stream);
      });
      writeEvents(stream, CHANGE);
      if (request.method === 'HEAD') stream.end();
      return sendEvents(reply, stream);
    });
  },
};
