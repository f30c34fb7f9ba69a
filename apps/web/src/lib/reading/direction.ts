/** In which direction the lists, quotes and code of a text are written, one by one. Pure. */

/**
 * The marks of a list or a quote stand where its own words begin, in whatever text it is; so it is
 * with a table's frame. Code reads from left to right everywhere.
 */
export function withDirections(html: string): string {
  return html
    .replace(/<(ul|ol|dl|blockquote)\b/g, '<$1 dir="auto"')
    .replace(/<(pre|code|kbd)\b/g, '<$1 dir="ltr"');
}
