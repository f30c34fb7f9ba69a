/**
 * What is pasted, by its meaning. Word processors write bold and italic as styles,
 * which the policy keeps even from the reader of the clipboard: Google Docs wraps all
 * in a `<b>` that its style takes back.
 */
import { leftOut } from '@cambist/markup/attributes';
import { isElement, renamed } from '@cambist/markup/elements';
import { libraryPath } from './library-path.ts';
import { realLists } from './pasted-lists.ts';
import { apartNotes, fittingHeadings, quietHtml } from './stored-html.ts';

/** What of it has no place in a text. */
export interface Lost {
  /** Those that are not in the library. */
  readonly pictures: boolean;
  /** Pages, films and the like that were shown within it. */
  readonly frames: boolean;
  /** Of HTML that somebody wrote, what else: `<script>`, `style of <p>`, `<!-- -->`. */
  readonly names: readonly string[];
}

/** Of the property itself: Word adds its own to it, such as `mso-bidi-font-weight`. */
const plain = /(?<![\w-])font-weight\s*:\s*(normal|[1-4]00)/i;
/** What a style means, in the elements that a text may hold. */
const meanings = {
  strong: /(?<![\w-])font-weight\s*:\s*(bold|[6-9]00)/i,
  em: /(?<![\w-])font-style\s*:\s*italic/i,
  s: /(?<![\w-])text-decoration(-line)?\s*:[^;]*line-through/i,
  u: /(?<![\w-])text-decoration(-line)?\s*:[^;]*underline/i,
  sup: /(?<![\w-])vertical-align\s*:\s*super/i,
  sub: /(?<![\w-])vertical-align\s*:\s*sub\b/i,
} as const;

export function pastedHtml(html: string): { readonly html: string; readonly lost: Lost | null } {
  const quiet = apartNotes(fittingHeadings(quietHtml(html)));
  const { body } = new DOMParser().parseFromString(quiet, 'text/html');
  const lost = lostOf(body);
  const tables = [...body.querySelectorAll('table')];
  if (!quiet.includes(' data-look=') && tables.length === 0) return { html: quiet, lost };
  realLists(body);
  for (const table of tables) giveHeader(table);
  for (const element of body.querySelectorAll<HTMLElement>('[data-look]')) {
    const look = element.dataset['look'] ?? '';
    if (element.matches('b, strong') && plain.test(look))
      element.replaceWith(...element.childNodes);
    else if (element.matches('span')) giveMeaning(element, look);
  }
  return { html: body.innerHTML, lost };
}

function giveMeaning(element: HTMLElement, look: string): void {
  const isInLink = element.closest('a') !== null || element.querySelector('a') !== null;
  for (const [name, said] of Object.entries(meanings)) {
    // Every link is underlined there, and here too.
    if (!said.test(look) || (name === 'u' && isInLink)) continue;
    const wrapper = element.ownerDocument.createElement(name);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
}

/** Spreadsheets and word processors know no cell that is a heading: they write the first row in bold. */
function giveHeader(table: HTMLTableElement): void {
  const [first, second] = table.rows;
  if (first === undefined || second === undefined || table.querySelector('th') !== null) return;
  if (!isBold(first) || isBold(second)) return;
  for (const cell of first.cells) {
    const header = table.ownerDocument.createElement('th');
    [header.colSpan, header.rowSpan] = [cell.colSpan, cell.rowSpan];
    header.append(...cell.childNodes);
    cell.replaceWith(header);
  }
}

function isBold({ cells }: HTMLTableRowElement): boolean {
  const written = [...cells].filter((cell) => cell.textContent.trim() !== '');
  return written.length > 0 && written.every(isBoldCell);
}

function isBoldCell(cell: HTMLTableCellElement): boolean {
  if (meanings.strong.test(cell.dataset['look'] ?? '')) return true;
  const rest = cell.cloneNode(true) as HTMLTableCellElement;
  for (const bold of rest.querySelectorAll<HTMLElement>('b, strong, span')) {
    const look = bold.dataset['look'] ?? '';
    if (bold.matches('span') ? meanings.strong.test(look) : !plain.test(look)) bold.remove();
  }
  return rest.textContent.trim() === '';
}

/** Of HTML that somebody wrote, who should read of all that goes; what is pasted brings much that nobody sees. */
export function lostIn(html: string): Lost | null {
  const quiet = quietHtml(html.replace(/<[a-z][^>]*>/gi, withNamedHandlers));
  const { head, body } = new DOMParser().parseFromString(quiet, 'text/html');
  const elements = [...head.querySelectorAll('*'), ...body.querySelectorAll('*')];
  const names = new Set(/<!--/.test(html) ? ['<!-- -->'] : []);
  if (/<style\b/i.test(html)) names.add('<style>');
  for (const element of elements) {
    const name = renamed[element.localName] ?? element.localName;
    if (element.matches(framed)) continue;
    if (!isElement(name)) names.add(`<${name}>`);
    else for (const each of lostAttributes(name, element)) names.add(`${each} of <${name}>`);
  }
  return lostOf(body, [...names]);
}

/** Under names that mean nothing, so that they can be told and do not run. */
function withNamedHandlers(tag: string): string {
  return tag.replace(/([\s/])(on\w+\s*=)/gi, '$1data-act-$2');
}

function lostAttributes(name: string, { attributes }: Element): string[] {
  const given = Array.from(attributes, (each) => {
    const meant = each.name === 'data-look' ? 'style' : each.name.replace(/^data-act-/, '');
    return [meant, each.value];
  });
  const lost = leftOut(name, Object.fromEntries(given));
  // A picture that is not in the library is told in words of its own.
  return name === 'img' ? lost.filter((each) => each !== 'src') : lost;
}

const framed = 'iframe, embed, object, video, audio, :is(object, video, audio) *';

function lostOf(body: HTMLElement, names: readonly string[] = []): Lost | null {
  const images = [...body.querySelectorAll('img')];
  const pictures = images.some((image) => libraryPath(image.getAttribute('src')) === null);
  const frames = body.querySelector(framed) !== null;
  return pictures || frames || names.length > 0 ? { pictures, frames, names } : null;
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
