/** Of whom the desk demands a second factor: of admins, who move other people's money. */
import { read } from '#features/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';

export type PolicyDeps = Pick<Deps, 'config' | 'db' | 'published'>;

/**
 * Whether admins must have a second factor. `default` means everywhere but in
 * `APP_ENV=local`, where a desk is tried out.
 */
export async function adminsNeedTwoFactor(deps: PolicyDeps): Promise<boolean> {
  const { two_factor_for_admins: chosen } = await read(deps, 'security');
  return chosen === 'on' || (chosen === 'default' && deps.config.appEnv !== 'local');
}

/** Whether this person must still set up the second factor that the desk demands. */
export async function lacksTwoFactor(
  deps: PolicyDeps,
  person: { readonly role: 'user' | 'admin'; readonly hasTwoFactor: boolean },
): Promise<boolean> {
  return person.role === 'admin' && !person.hasTwoFactor && (await adminsNeedTwoFactor(deps));
}
