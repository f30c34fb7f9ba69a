/** The stored keys of the providers, as the synchronisation uses them. */
import { rateKeyName, type RateProviderName } from '@cambist/contract/rate-settings';
import { describeSecrets, readSecret, SealedOtherwise } from '#features/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { MissingAppKey } from '#platform/keys.ts';

/**
 * The stored key; null where there is none. A fault where it cannot be read: it was sealed with
 * another APP_KEY, and rates from a provider without a key must come all the same.
 */
export async function readKey(
  deps: Pick<Deps, 'db' | 'keys'>,
  provider: RateProviderName,
): Promise<{ readonly key: string | null } | { readonly fault: string }> {
  try {
    return { key: await readSecret(deps, 'rate-api', rateKeyName(provider)) };
  } catch (error) {
    if (error instanceof MissingAppKey)
      return { fault: 'APP_KEY is not set, so the stored key does not open.' };
    if (error instanceof SealedOtherwise)
      return {
        fault: 'The stored key does not open: APP_KEY is another one than when it was set.',
      };
    throw error;
  }
}

/** When each key was set, by the secret's name. */
export async function keyTimes({ db }: Pick<Deps, 'db'>): Promise<Map<string, Date>> {
  const secrets = await describeSecrets(db, 'rate-api');
  return new Map(secrets.map(({ name, updated_at }) => [name, new Date(updated_at)]));
}
