/** Words for a letter's header. Pure. */

const LONGEST = 200;

/**
 * One line of visible text: names and subjects hold what people typed, and a line break in a
 * header would begin another header, and a direction override would turn the mailbox's own words.
 */
export function oneLine(text: string): string {
  const flat = withoutOverrides(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...flat].slice(0, LONGEST).join('');
}

/** Without the characters that turn the direction of the text behind them. */
export function withoutOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
