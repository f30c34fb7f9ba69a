/** What may be wider than a phone scrolls by itself, also by keyboard. Pure. */

/** `tableLabel` names each table's frame to screen readers; it must need no escaping. */
export function withScrolling(html: string, tableLabel: string): string {
  const frame = `<div dir="auto" class="scroll-table" role="group" aria-label="${tableLabel}" tabindex="0">`;
  return html
    .replaceAll('<table>', `${frame}<table>`)
    .replaceAll('</table>', '</table></div>')
    .replace(/<pre\b/g, '<pre tabindex="0"');
}
