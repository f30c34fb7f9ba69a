/** Whether a pair fits a search: each of its words is in a unit, a channel or a name. Pure. */
import type { Pair } from '@cambist/contract/pairs';

export function matches({ send, receive }: Pair, search: string): boolean {
  const text = [send, receive]
    .flatMap(({ unit, name, channel }) => [unit, name, channel])
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/[\s/→>-]+/)
    .every((word) => text.includes(word));
}
