/** The server's clock as the browser can estimate it. Pure; times in epoch milliseconds. */

/**
 * How far the server's clock is ahead. The answer was made between request and arrival; the middle
 * is the best guess.
 */
export function clockOffsetMs(serverTime: string, requestedAt: number, receivedAt: number): number {
  return Date.parse(serverTime) - (requestedAt + receivedAt) / 2;
}

/** Milliseconds until `deadline` by the server's clock; negative when it has passed. */
export function leftMs(deadline: string, now: number, offsetMs: number): number {
  return Date.parse(deadline) - (now + offsetMs);
}
