/**
 * Cleaned HTML as lines that a person compares: headings, items, links and pictures
 * written with signs, so that a change of these shows in the words. Pure.
 */
export function readable(html: string): string {
  return html
    .replace(/<img\b[^>]*>/g, (image) => {
      const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(image)?.[1] ?? '';
      return `\n[${of('alt')}](${of('src')})\n`;
    })
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, '$2 ($1)')
    .replace(/<h([2-4])\b[^>]*>/g, (_tag, level: string) => `\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/g, '\n• ')
    .replace(/<blockquote>/g, '\n> ')
    .replace(/<hr\s*\/?>/g, '\n---\n')
    .replace(/<\/?(strong|b)>/g, '**')
    .replace(/<\/?(em|i)>/g, '_')
    .replace(/<\/?s>/g, '~~')
    .replace(/<\/?code\b[^>]*>/g, '`')
    .replace(/<\/(td|th)>\s*<(td|th)\b[^>]*>/g, ' | ')
    .replace(/<(br|\/(p|h[2-4]|li|tr|blockquote|pre|figcaption|dt|dd|caption))\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .replace(/\n(> |• |#+ )\n/g, '\n$1')
    .trim();
}
