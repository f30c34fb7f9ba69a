/**
 * Lists as Word writes them: paragraphs whose style names a list and a level, each
 * beginning with its own bullet or number as text. Made into the lists they mean.
 */

const listed = /mso-list\s*:\s*(l\d+)\s+level(\d+)\s*(lfo\d+)?/i;
/** A number, a letter or a Roman number, with what stands behind it. */
const numbered = /^\(?(\d{1,4}|[a-z]{1,2}|[ivxlcdm]+)[.)]/i;
/** Where the bullet is not kept apart: the sign, and the spaces that stand for the distance. */
const plainMarker =
  /^\s*(\(?(?:\d{1,4}|[a-z]{1,2}|[ivxlcdm]+)[.)]|[^\p{L}\p{N}\s]|[ovØü])[\s\u{a0}]+/iu;

interface Open {
  readonly level: number;
  /** Which of the document's lists it is, and of which kind. */
  readonly key: string;
  readonly list: HTMLElement;
}

/** Puts real lists in the place of such paragraphs, nested by their levels. Styles stand in `data-look`. */
export function realLists(body: HTMLElement): void {
  let open: Open[] = [];
  let last: Element | null = null;
  for (const line of body.querySelectorAll<HTMLElement>('[data-look*="mso-list" i]')) {
    const [, list = '', level = '', form = ''] = listed.exec(line.dataset['look'] ?? '') ?? [];
    if (list === '' || !/^(P|H[1-6]|DIV|LI)$/.test(line.tagName) || line.closest('li')) continue;
    if (line.previousElementSibling !== last) open = [];
    const marker = takeMarker(line);
    const isNumbered = numbered.test(marker);
    const key = `${list} ${form} ${isNumbered ? 'ol' : 'ul'}`;
    last = place(line, open, { level: Number(level), key, isNumbered, marker });
  }
}

interface Line {
  readonly level: number;
  readonly key: string;
  readonly isNumbered: boolean;
  readonly marker: string;
}

/** Answers the outermost list that the line is in now. */
function place(line: HTMLElement, open: Open[], { level, key, isNumbered, marker }: Line) {
  const { ownerDocument } = line;
  while (open.length > 0) {
    const top = open.at(-1);
    if (top === undefined || top.level < level || (top.level === level && top.key === key)) break;
    open.pop();
  }
  if (open.at(-1)?.level !== level) {
    const list = ownerDocument.createElement(isNumbered ? 'ol' : 'ul');
    const first = Number(marker.replace(/\D/g, ''));
    if (isNumbered && first > 1) list.setAttribute('start', String(first));
    const around = open.at(-1)?.list.lastElementChild;
    if (around) around.append(list);
    else line.before(list);
    open.push({ level, key, list });
  }
  const item = ownerDocument.createElement('li');
  item.append(...line.childNodes);
  open.at(-1)?.list.append(item);
  line.remove();
  return open[0]?.list ?? null;
}

/** Takes the bullet or the number off the line, and answers it. */
function takeMarker(line: HTMLElement): string {
  const apart = line.querySelector<HTMLElement>('[data-look*="mso-list:ignore" i]');
  if (apart) {
    apart.remove();
    return (apart.textContent ?? '').trim();
  }
  const found = plainMarker.exec(line.textContent ?? '');
  if (!found) return '';
  let left = found[0].length;
  const texts = line.ownerDocument.createTreeWalker(line, 4);
  for (let text = texts.nextNode(); text && left > 0; text = texts.nextNode()) {
    const taken = Math.min(left, text.nodeValue?.length ?? 0);
    text.nodeValue = text.nodeValue?.slice(taken) ?? '';
    left -= taken;
  }
  return found[1] ?? '';
}
