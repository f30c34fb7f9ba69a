/** Whether a channel's name is too long for the picker beside an amount. Pure. */

/** Three lines, the height of the amount. */
const most = 28;
/** One line on a phone; a longer word would break. */
const longestWord = 11;

export function isLongChannel(channel: string): boolean {
  return channel.length > most || channel.split(/\s+/u).some((word) => word.length > longestWord);
}
