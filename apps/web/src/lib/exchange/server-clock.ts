/** The server's clock, as far as a browser can know it. Pure; times in epoch milliseconds. */

/**
 * How far the server's clock is ahead of this one. The answer was made between
 * asking and hearing; its middle is the best guess.
 */
export function clockOffsetMs(serverTime: string, askedAt: number, heardAt: number): number {
  return Date.parse(serverTime) - (askedAt + heardAt) / 2;
}

/** Milliseconds until `deadline` by the server's clock; below zero when it has passed. */
export function leftMs(deadline: string, now: number, offsetMs: number): number {
  return Date.parse(deadline) - (now + offsetMs);
}
