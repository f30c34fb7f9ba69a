/** A text that people wrote, ready to be read: cleaned, with its contents beside it, made once of each text. */
import { getLocale } from '#lib/paraglide/runtime.js';
import { withContents } from '../reading/contents.ts';
import { withDirections } from '../reading/direction.ts';
import { withScrolling } from '../reading/scrolling.ts';
import TextContents from '../reading/TextContents.svelte';
import { keptTexts } from './kept-texts.ts';
import { shownHtml } from './shown-html.ts';
import { rendered } from './still.ts';

export interface ReadableText {
  /** HTML of the list of headings; '' where it would be too short to help. */
  readonly contents: string;
  /** HTML. */
  readonly body: string;
}

/** From how many headings on a list of them helps. */
const MIN_CONTENTS = 3;
const MAX_BYTES = 32 * 1024 * 1024;

const kept = keptTexts<ReadableText>(
  MAX_BYTES,
  ({ contents, body }) => contents.length + body.length,
);

/** `tableLabel` names each table's frame to screen readers; it must need no escaping. */
export function readableText(html: string, tableLabel: string): Promise<ReadableText> {
  return kept.get([html, tableLabel, getLocale()], async () => {
    const { body, contents } = withContents(withDirections(shownHtml(html)));
    return {
      contents: contents.length < MIN_CONTENTS ? '' : await rendered(TextContents, { contents }),
      body: withScrolling(body, tableLabel),
    };
  });
}
