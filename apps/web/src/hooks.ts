/**
 * What is rendered on the server and shown as it is (lib/server/static-part.ts) stands in the document
 * already: the data beside it only says where, and the browser takes it from there.
 */
import type { Transport } from '@sveltejs/kit/hooks';
import { placed, Still } from '#lib/browser/static-html.ts';

export const transport: Transport = {
  Still: {
    encode: (value) => value instanceof Still && value.place,
    decode: placed,
  },
};
