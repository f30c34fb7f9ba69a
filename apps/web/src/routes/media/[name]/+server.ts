/** A picture of the media library, relayed from the API. */
import { mediaFile } from '#lib/server/media-file.ts';
import type { RequestHandler } from './$types.js';

const handOn: RequestHandler = (event) => mediaFile(event, event.locals.requestId);

export { handOn as GET, handOn as HEAD };
