/** Large approvals ask for a fresh confirmation: the settings say above which amount. */
import { parseAmount } from '@cambist/money/amount';
import { read } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { requireFresh } from '#platform/guards.ts';
import type { Session } from '#platform/sessions.ts';
import type { Exchange } from './store.ts';

/** A limit may be written with more decimals than its currency has. */
const DECIMALS = 18;

/**
 * The check that an approval makes once it knows the exchange; it throws 403
 * `confirmation_required`. The settings are read here, before any transaction.
 */
export async function checkOfLargeApprovals(
  deps: Pick<Deps, 'db' | 'published' | 'clock'>,
  session: Session | null,
): Promise<(exchange: Exchange) => void> {
  const { fresh_approval_above: limits } = await read(deps, 'security');
  return ({ send, send_minor: minor }) => {
    const limit = limits.find(({ currency }) => currency === send.slug);
    if (limit === undefined) return;
    const scaled = minor * 10n ** BigInt(DECIMALS - send.decimals);
    if (scaled > parseAmount(limit.amount, DECIMALS)) requireFresh(session, deps.clock());
  };
}
