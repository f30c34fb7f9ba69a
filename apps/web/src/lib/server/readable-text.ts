/** A text that people wrote, ready to be read: cleaned, with its contents beside it, made once of each text. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { getLocale } from '#lib/paraglide/runtime.js';
import { withContents } from '../reading/contents.ts';
import { withScrolling } from '../reading/scrolling.ts';
import TextContents from '../reading/TextContents.svelte';
import { shownHtml } from './shown-html.ts';
import { rendered } from './static-part.ts';

export interface ReadableText {
  /** HTML of the list of headings; '' where it would be too short to help. */
  readonly contents: string;
  /** HTML. */
  readonly body: string;
}

interface Source {
  readonly html: string;
  readonly tableLabel: string;
}

/** From how many headings on a list of them helps. */
const MIN_CONTENTS = 3;
const MAX_BYTES = 32 * 1024 * 1024;

/** By the hash of the text itself: another text is never shown in its place. */
const cache = new LRUCache<string, ReadableText, Source>({
  maxSize: MAX_BYTES,
  // A character takes two bytes at most.
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
    contents: contents.length < MIN_CONTENTS ? '' : await rendered(TextContents, { contents }),
    body: withScrolling(body, tableLabel),
  };
}
