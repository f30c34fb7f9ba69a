/**
 * Static parts (lib/server/html/static-part.ts) are in the document already: the page's data only names
 * their place, and the browser reads them from there.
 */
import type { Transport } from '@sveltejs/kit/hooks';
import { htmlAt, StaticHtml } from '#lib/browser/static-html.ts';

export const transport: Transport = {
  StaticHtml: {
    encode: (value) => value instanceof StaticHtml && value.place,
    decode: htmlAt,
  },
};
