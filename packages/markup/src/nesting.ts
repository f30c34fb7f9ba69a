/** Pure: words that are marked in several ways at once, whichever way stands outside: nobody sees it. */

const names = 'strong|b|em|i|s|u|mark|sub|sup|kbd|code';
const nested = new RegExp(`((?:<(?:${names})>){2,})([^<]+)((?:</(?:${names})>){2,})`, 'g');

/** With the marks of such words in the order of their names. */
export function inOneOrder(html: string): string {
  return html.replace(nested, (whole, before: string, words: string, after: string) => {
    const [opened, closed] = [before, after].map((tags) => tags.match(/\w+/g) ?? []);
    const own = opened?.toSorted() ?? [];
    if (own.join() !== closed?.toSorted().join()) return whole;
    const open = own.map((name) => `<${name}>`).join('');
    const close = own.map((name) => `</${name}>`).toReversed();
    return open + words + close.join('');
  });
}
