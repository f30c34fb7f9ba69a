const character = /&[^;\s]+;/g;

/** With a blank for each of them that is written by its name, as `&amp;`: of such a name no letter is read. */
export function withoutNames(text: string): string {
  return text.replace(character, ' ');
}

/** The characters of text in cleaned HTML, where these few are the only ones that are written otherwise. Pure. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u{A0}')
    .replaceAll('&amp;', '&');
}
