import { rateKeyName, type RateProviderName } from '@cambist/contract/rate-settings';
import { findSealed, SealedOtherwise } from '#features/content/settings/secrets.ts';
import type { Deps } from '#platform/deps.ts';
import { MissingAppKey } from '#platform/security/keys.ts';

/** The stored key of a provider; a fault where it cannot be decrypted, as after a change of APP_KEY. */
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
      return { setAt, fault: 'APP_KEY is not set, so the stored key cannot be decrypted.' };
    if (error instanceof SealedOtherwise)
      return {
        setAt,
        fault: 'The stored key cannot be decrypted: APP_KEY has changed since it was set.',
      };
    throw error;
  }
}
