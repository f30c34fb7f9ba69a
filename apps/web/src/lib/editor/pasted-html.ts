/**
 * What is pasted. Word processors write bold and italic as styles, which the pages'
 * policy hides even from the reader of the clipboard; Google Docs wraps all text in
 * a `<b>` that its style takes back.
 */
import { libraryPath } from './schema.ts';
import { fittingHeadings, quietHtml } from './stored-html.ts';

/** Of the property itself: Word adds its own to it, such as `mso-bidi-font-weight`. */
const plain = /(?<![\w-])font-weight\s*:\s*(normal|[1-4]00)/i;
/** What a style means, in the elements that a text may hold. */
const meanings = {
  strong: /(?<![\w-])font-weight\s*:\s*(bold|[6-9]00)/i,
  em: /(?<![\w-])font-style\s*:\s*italic/i,
  s: /(?<![\w-])text-decoration(-line)?\s*:[^;]*line-through/i,
  sup: /(?<![\w-])vertical-align\s*:\s*super/i,
  sub: /(?<![\w-])vertical-align\s*:\s*sub\b/i,
} as const;

export function pastedHtml(html: string): string {
  const quiet = fittingHeadings(quietHtml(html));
  if (!quiet.includes(' data-look=')) return quiet;
  const { body } = new DOMParser().parseFromString(quiet, 'text/html');
  for (const element of body.querySelectorAll<HTMLElement>('[data-look]')) {
    const look = element.dataset['look'] ?? '';
    if (element.matches('b, strong') && plain.test(look))
      element.replaceWith(...element.childNodes);
    else if (element.matches('span')) giveMeaning(element, look);
  }
  return body.innerHTML;
}

function giveMeaning(element: HTMLElement, look: string): void {
  for (const [name, style] of Object.entries(meanings)) {
    if (!style.test(look)) continue;
    const wrapper = element.ownerDocument.createElement(name);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
}

/**
 * The files of what is pasted, where they are what is meant: Word and spreadsheets
 * give a picture of their text beside the text, and a browser names the address of a
 * picture that was copied, which is taken where it is one of the library.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'getData'> | null): File[] {
  if (data === null || data.files.length === 0) return [];
  const html = quietHtml(data.getData('text/html'));
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const isText = body.textContent?.trim() !== '' || body.querySelector('table') !== null;
  const images = [...body.querySelectorAll('img')];
  const isKnown = images.some((image) => libraryPath(image.getAttribute('src')) !== null);
  return isText || isKnown ? [] : [...data.files];
}
