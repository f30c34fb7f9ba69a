/** For caches in front of the public answers, such as the frontend's: when to ask again. */
import { endpoint, publicReads } from './endpoint.ts';

export const followPublicChanges = endpoint({
  ...publicReads,
  path: '/api/public/changes',
  summary:
    'Streams a `change` each time public answers have changed (server-sent events). Whatever a cache read before it, and before the stream began, may be outdated.',
  streams: true,
  vital: true,
  refusals: ['too_many_streams'],
});
