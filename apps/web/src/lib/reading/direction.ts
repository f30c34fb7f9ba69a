/** In which direction the lists and quotes of a text are written, one by one. Pure. */

/** The marks of a list or a quote stand where its own words begin, in whatever text it is; so it is with a table's frame. */
export function withDirections(html: string): string {
  return html.replace(/<(ul|ol|dl|blockquote)\b/g, '<$1 dir="auto"');
}
