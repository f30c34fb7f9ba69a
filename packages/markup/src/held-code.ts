/** Blanks of code, where each is meant, held while those of other words are drawn together. Pure. */

const code = /<pre>([\s\S]*?)<\/pre>/g;
/** What stands for them, from U+FDD0 on: they are no characters of any text. The last is one that no line breaks at. */
const blanks = [' ', '\n', '\t', '\u{A0}'];

const free = '</?(?:a|strong|em|s|u|mark|sub|sup)(?: [^<>]*)?>';
const lineEnd = '\uFDD1|<br ?/?>';
const lastEnd = new RegExp(`(?:${lineEnd})((?:${free})*)$`);
const endOrMark = new RegExp(`${lineEnd}|${free}`);
/** With their boxes. */
const wordsAtEnd = /[^>](?:<\/(?:code|kbd)>)*$/;

/** Parts words of code at the blanks that no line breaks at, which look like others. */
export const codeSpace = /(\uFDD3+)/;

export function heldCode(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(code, (_code, inner: string) => `<pre>${heldIn(inner)}</pre>`);
}

/**
 * Of held code: the last of the ends of lines behind words is no line by itself, and nobody sees it; behind
 * anything else each is one. Only for marks in one order: else two of which one has a line more become alike.
 */
export function withoutLastEnds(html: string): string {
  return html.replace(code, (_code, inner: string) => {
    const end = inner.endsWith('</code>') ? '</code>' : '';
    const text = inner.slice(0, inner.length - end.length);
    const words = text.split(endOrMark).findLast((each) => each !== '') ?? '';
    return `<pre>${wordsAtEnd.test(words) ? text.replace(lastEnd, '$1') : text}${end}</pre>`;
  });
}

/** With the blanks as they are read. */
export function unheld(text: string): string {
  return text.replace(/[\uFDD0-\uFDD3]/g, (held) =>
    (blanks[held.charCodeAt(0) - 0xfdd0] ?? '').replace('\u{A0}', ' '),
  );
}

/**
 * But for the first end of a line, which nobody sees; what stands around the code is read in it.
 * No one expression: that would try each blank of many anew.
 */
function heldIn(inner: string): string {
  const [before = '', blanks = '', start = ''] = /^\n?(?:(\s*)(<code[^>]*>))?/.exec(inner) ?? [];
  const rest = blanks + inner.slice(before.length);
  const whole = rest.trimEnd();
  const end = whole.endsWith('</code>') ? '</code>' : '';
  const text = whole.slice(0, whole.length - end.length) + rest.slice(whole.length);
  return start + held(text) + end;
}

function held(text: string): string {
  return text.replace(/<[^>]*>|&nbsp;|\s/g, (found) => {
    if (found.startsWith('<')) return found;
    const place = blanks.indexOf(found.replace('&nbsp;', '\u{A0}'));
    return String.fromCharCode(0xfdd0 + Math.max(0, place));
  });
}
