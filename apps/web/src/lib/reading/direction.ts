/** In which direction a text is written, and its lists and quotes one by one. Pure. */

const letter = /\p{L}/u;
const fromTheRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** For what stands beside the text, which has `dir="auto"`: by its first letter, as browsers do; undefined where it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const first = letter.exec(text)?.[0];
  if (first === undefined) return undefined;
  return fromTheRight.test(first) ? 'rtl' : 'ltr';
}

/** The marks of a list or a quote stand where its own words begin, in whatever text it is; so it is with a table's frame. */
export function withDirections(html: string): string {
  return html.replace(/<(ul|ol|dl|blockquote)\b/g, '<$1 dir="auto"');
}
