/** What may be wider than a phone scrolls by itself, also by keyboard. Pure. */

/** A table's direction is its frame's too. `tableLabel` names each table's frame to screen readers; it must need no escaping. */
export function withScrolling(html: string, tableLabel: string): string {
  const frame = `class="scroll-table" role="group" aria-label="${tableLabel}" tabindex="0">`;
  return html
    .replace(/<table( dir="\w+")?>/g, (_table, dir = '') => `<div${dir} ${frame}<table>`)
    .replaceAll('</table>', '</table></div>')
    .replace(/<pre\b/g, '<pre tabindex="0"');
}
