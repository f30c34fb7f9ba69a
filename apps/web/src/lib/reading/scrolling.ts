/** Makes wide tables and code scroll on a phone, also by keyboard. Pure. */

/**
 * The frame takes the table's direction. `tableLabel` names it to screen readers; it must need no
 * escaping.
 */
export function withScrolling(html: string, tableLabel: string): string {
  const frame = `class="scroll-table" role="group" aria-label="${tableLabel}" tabindex="0">`;
  return html
    .replace(/<table( dir="\w+")?>/g, (_table, dir = '') => `<div${dir} ${frame}<table>`)
    .replaceAll('</table>', '</table></div>')
    .replace(/<pre\b/g, '<pre tabindex="0"');
}
