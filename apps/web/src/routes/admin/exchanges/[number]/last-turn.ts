/** What the head of an open exchange tells: the last thing that took it further. Pure. */
import type { DeskEvent } from './changes.ts';

/** What the desk does around an exchange, and files that come to it, leave it where it is. */
const beside = new Set(['claim', 'release', 'note', 'upload_proof']);

/** `timeline` is oldest first, as the service gives it; null when nothing is told. */
export function lastTurn(timeline: readonly DeskEvent[]): DeskEvent | null {
  return timeline.findLast(({ action }) => !beside.has(action)) ?? null;
}
