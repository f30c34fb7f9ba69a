/** The stored keys of the providers, as the synchronisation uses them. */
import { rateKeyName, type RateProviderName } from '@cambist/contract/rate-settings';
import { findSealed, SealedOtherwise } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { MissingAppKey } from '#platform/security/keys.ts';

/**
 * The stored key, null where there is none, and when it was set. A fault where it cannot be read: it
 * was sealed with another APP_KEY, and other providers must still be asked.
 */
export async function readKey(
  deps: Pick<Deps, 'db' | 'keys'>,
  provider: RateProviderName,
): Promise<
  { readonly setAt: Date | null } & ({ readonly key: string | null } | { readonly fault: string })
> {
  const sealed = await findSealed(deps, 'rate-api', rateKeyName(provider));
  if (!sealed) return { key: null, setAt: null };
  const setAt = sealed.updatedAt;
  try {
    return { key: sealed.open(), setAt };
  } catch (error) {
    if (error instanceof MissingAppKey)
      return { setAt, fault: 'APP_KEY is not set, so the stored key does not open.' };
    if (error instanceof SealedOtherwise)
      return {
        setAt,
        fault: 'The stored key does not open: APP_KEY is another one than when it was set.',
      };
    throw error;
  }
}
