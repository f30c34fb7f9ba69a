/**
 * Cleaned HTML as lines that a person compares: headings, items, links and pictures
 * written with signs, so that a change of these shows in the words. Pure.
 */
export function readable(html: string): string {
  return withItems(html.replace(code, (_code, inner: string) => `<pre>${heldCode(inner)}</pre>`))
    .replace(/<img\b[^>]*>/g, (image) => {
      const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(image)?.[1] ?? '';
      return `\n[${of('alt')}](${of('src')})\n`;
    })
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, '$2 ($1)')
    .replace(/<h([2-4])\b[^>]*>/g, (_tag, level: string) => `\n${'#'.repeat(Number(level))} `)
    .replace(/<blockquote>\s*/g, '\n> ')
    .replace(/<hr\s*\/?>/g, '\n---\n')
    .replace(/<\/?(strong|b)>/g, '**')
    .replace(/<\/?(em|i)>/g, '_')
    .replace(/<\/?s>/g, '~~')
    .replace(/<pre>\s*<code(?: class="language-([^"]*)")?>/g, '\n```$1\n')
    .replace(/<\/code>\s*<\/pre>/g, '\n```\n')
    .replace(/<\/?code\b[^>]*>/g, '`')
    .replace(/<\/t[dh]>\s*(?=<t[dh]\b)/g, ' | ')
    .replace(/<th\b[^>]*>\s*/g, '# ')
    .replace(/<br\b[^>]*>/g, ' ↵\n')
    .replace(/<\/(p|h[2-4]|tr|blockquote|pre|figcaption|dt|dd|caption)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
    .replace(/[\uFDD0-\uFDD2]/g, (blank) => blanks[blank.charCodeAt(0) - 0xfdd0] ?? '');
}

const code = /<pre>([\s\S]*?)<\/pre>/g;
/** What stands for them, from U+FDD0 on, while others are drawn together: they are no characters of any text. */
const blanks = [' ', '\n', '\t'];

/** But for the last end of a line, which nobody sees. No one expression: that would try each blank of many anew. */
function heldCode(inner: string): string {
  const start = /^(?:\s*<code[^>]*>|\n)?/.exec(inner)?.[0] ?? '';
  const rest = inner.slice(start.length);
  const whole = rest.trimEnd();
  const text = whole.endsWith('</code>')
    ? whole.slice(0, -'</code>'.length).replace(/\n$/, '')
    : whole;
  return start + held(text) + rest.slice(text.length);
}

/** In code blanks are meant: each is held as it is, but for those inside a tag. */
function held(text: string): string {
  return text.replace(/<[^>]*>|&nbsp;|\s/g, (found) => {
    if (found.startsWith('<')) return found;
    return String.fromCharCode(0xfdd0 + Math.max(0, blanks.indexOf(found)));
  });
}

/** Before each item the signs of all lists that it stands in: `•`, `1.1.`. */
function withItems(html: string): string {
  /** The number of the latest item; null where a list has none. */
  const lists: { number: number | null }[] = [];
  return html.replace(/<(\/?)(ul|ol|li)\b[^>]*>\s*/g, (tag, end: string, name: string) => {
    if (name !== 'li') {
      const start = Number(/ start="(\d+)"/.exec(tag)?.[1] ?? 1);
      if (end) lists.pop();
      else lists.push({ number: name === 'ol' ? start - 1 : null });
    }
    if (name !== 'li' || end) return '\n';
    const list = lists.at(-1);
    if (typeof list?.number === 'number') list.number += 1;
    const signs = lists.map(({ number }) => (number === null ? '•' : `${number}.`)).join('');
    return `\n${signs} `;
  });
}

/** Whether people who compare two texts would be shown nothing: their words are the same, and how these are set. */
export function isReadTheSame(one: string, other: string): boolean {
  return one === other || (readable(one) === readable(other) && isSetSame(one, other));
}

/** Whether the same elements stand around the same of words that are the same; of code every blank counts. */
export function isSetSame(one: string, other: string): boolean {
  return settingOf(one) === settingOf(other);
}

/** Everything but the blanks between words, which are drawn as one; one that no line breaks at stays. */
function settingOf(html: string): string {
  return html.replace(/<pre>[\s\S]*?<\/pre>|<[^>]*>|&nbsp;|&quot;|[ \t\n\r\f]+/g, (found) => {
    if (found.startsWith('<pre>')) return found;
    // The editor writes `<br>` where `<br />` is kept; how a picture is loaded is seen by nobody.
    if (found.startsWith('<'))
      return found.replace(/ \/>$/, '>').replace(/ (rel|loading)="[^"]*"/g, '');
    return { '&nbsp;': '\u{A0}', '&quot;': '"' }[found] ?? '';
  });
}
