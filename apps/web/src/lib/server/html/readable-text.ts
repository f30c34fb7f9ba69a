/** HTML of posts and legal pages, cleaned and with a table of contents, cached by its text. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { getLocale } from '#lib/paraglide/runtime.js';
import { withContents } from '#lib/reading/contents.ts';
import { withScrolling } from '#lib/reading/scrolling.ts';
import TextContents from '#lib/reading/TextContents.svelte';
import { shownHtml } from './shown-html.ts';
import { renderHtml } from './static-part.ts';

export interface ReadableText {
  /** HTML of the table of contents; '' when it would be too short to help. */
  readonly contents: string;
  readonly body: string;
}

interface Source {
  readonly html: string;
  readonly tableLabel: string;
}

const MIN_CONTENTS = 3;
const MAX_BYTES = 32 * 1024 * 1024;

/** Keyed by the hash of the text, so a changed text is never served from the cache. */
const cache = new LRUCache<string, ReadableText, Source>({
  maxSize: MAX_BYTES,
  // A character takes at most two bytes.
  sizeCalculation: ({ contents, body }) => 2 * (contents.length + body.length) + 1,
  fetchMethod: (_key, _stale, { context }) => made(context),
});

/** `tableLabel` names each table's frame to screen readers; it must need no escaping. */
export function readableText(html: string, tableLabel: string): Promise<ReadableText> {
  const key = createHash('sha256')
    .update(JSON.stringify([html, tableLabel, getLocale()]))
    .digest('base64');
  return cache.forceFetch(key, { context: { html, tableLabel } });
}

async function made({ html, tableLabel }: Source): Promise<ReadableText> {
  const { body, contents } = withContents(shownHtml(html));
  return {
    contents: contents.length < MIN_CONTENTS ? '' : await renderHtml(TextContents, { contents }),
    body: withScrolling(body, tableLabel),
  };
}
