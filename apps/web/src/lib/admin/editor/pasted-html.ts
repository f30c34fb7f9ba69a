/**
 * What is pasted, by its meaning. Word processors write bold and italic as styles,
 * which the policy keeps even from the reader of the clipboard: Google Docs wraps all
 * in a `<b>` that its style takes back.
 */
import { fittingHeadings, quietHtml } from './stored-html.ts';

const bold = /font-weight\s*:\s*(bold|[6-9]00)/i;
const plain = /font-weight\s*:\s*(normal|[1-4]00)/i;
const italic = /font-style\s*:\s*italic/i;

export function pastedHtml(html: string): string {
  const quiet = fittingHeadings(quietHtml(html));
  if (!quiet.includes(' data-look=')) return quiet;
  const { body } = new DOMParser().parseFromString(quiet, 'text/html');
  for (const element of body.querySelectorAll<HTMLElement>('[data-look]')) {
    const look = element.dataset['look'] ?? '';
    if (element.matches('b, strong') && plain.test(look))
      element.replaceWith(...element.childNodes);
    else if (element.matches('span')) {
      if (bold.test(look)) wrapContent(element, 'strong');
      if (italic.test(look)) wrapContent(element, 'em');
    }
  }
  return body.innerHTML;
}

function wrapContent(element: HTMLElement, name: 'strong' | 'em'): void {
  const wrapper = element.ownerDocument.createElement(name);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}
