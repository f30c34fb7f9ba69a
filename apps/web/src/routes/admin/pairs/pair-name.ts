/** A pair by its units and channels: the same two units may meet over several channels. */
import type { Pair } from '@cambist/contract/pairs';
import { m } from '#lib/paraglide/messages.js';

type Sides = { readonly [side in 'send' | 'receive']: Pick<Pair['send'], 'channel' | 'unit'> };

export function pairName({ send, receive }: Sides): string {
  const name = ({ unit, channel }: Sides['send']) => m.pairs_side_name({ unit, channel });
  return m.admin_pair_name({ send: name(send), receive: name(receive) });
}
