/** Tells admins of a low reserve: once, and again only after it has recovered. */
import { formatAmount } from '@cambist/money/amount';
import { emailAdminsWith } from '#features/auth/users.ts';
import { amountFor, read } from '#features/content/settings/settings.ts';
import type { EmailContent, Fact } from '#features/email/email.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { deleteLow, insertLow, listAvailable } from './store.ts';

/** Returns the number of reserves that have become low. */
export async function watchLowReserves(
  deps: Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>,
): Promise<number> {
  const { low_reserve } = await read(deps, 'desk');
  return transaction(deps.db, async (tx) => {
    const watched = (await listAvailable(tx)).map((currency) => ({
      ...currency,
      limit: amountFor(low_reserve, currency),
    }));
    const low = watched.filter(({ limit, balance }) => limit !== null && balance < limit);
    const recovered = watched.filter(({ limit, balance }) => limit === null || balance > limit);
    await deleteLow(tx, ids(recovered));
    // A row that another process has written is not returned.
    const fresh = new Set(await insertLow(tx, ids(low)));
    if (fresh.size === 0) return 0;
    const content = lowEmail(
      low
        .filter(({ id }) => fresh.has(id))
        .map(({ unit, channel, decimals, balance, limit }) => ({
          label: `${unit}, ${channel}`,
          value: `${formatAmount(balance, decimals)} ${unit}; your limit is ${formatAmount(limit ?? 0n, decimals)} ${unit}`,
        })),
    );
    await emailAdminsWith(deps, tx, 'money', 'low-reserve', content);
    return fresh.size;
  });
}

const ids = (currencies: readonly { readonly id: string }[]) => currencies.map(({ id }) => id);

function lowEmail(facts: readonly Fact[]): EmailContent {
  const [first] = facts;
  const subject =
    facts.length === 1 ? `Low reserve: ${first?.label}` : `${facts.length} reserves are low`;
  return {
    subject,
    preview: 'Larger payouts are refused until there is more.',
    heading: subject,
    paragraphs: [
      'Less than your limit can be paid out. Quotes above what is there are refused; open exchanges are not affected, since their payouts are held already.',
    ],
    facts,
    action: { label: 'Open the reserves', path: '/admin/reserves' },
    note: 'You get this once, and again only after the reserve has recovered.',
  };
}
