/** Who must have a second factor: admins, who move other people's money. */
import { read } from '#features/content/settings/settings.ts';
import { demandsTwoFactor } from '#features/content/settings/two-factor-demand.ts';
import type { Deps } from '#platform/deps.ts';

export type PolicyDeps = Pick<Deps, 'config' | 'db' | 'published'>;

export async function adminsNeedTwoFactor(deps: PolicyDeps): Promise<boolean> {
  const { two_factor_for_admins: chosen } = await read(deps, 'security');
  return demandsTwoFactor(chosen, deps.config);
}

/** Whether the user must still set up the second factor that the desk demands. */
export async function lacksTwoFactor(
  deps: PolicyDeps,
  user: { readonly role: 'user' | 'admin'; readonly hasTwoFactor: boolean },
): Promise<boolean> {
  return user.role === 'admin' && !user.hasTwoFactor && (await adminsNeedTwoFactor(deps));
}
