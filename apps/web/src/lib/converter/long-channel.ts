/** Which channels and networks are too long for the button beside an amount. Pure. */

/** Three lines of the button, which is as high then as the amount beside it. */
const most = 28;
/** What one line of it holds on a phone: a longer word would be broken. */
const longestWord = 11;

export function isLongChannel(channel: string): boolean {
  return channel.length > most || channel.split(/\s+/u).some((word) => word.length > longestWord);
}
