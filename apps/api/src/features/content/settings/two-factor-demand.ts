/** Of whom the security settings demand a second factor, and who may say so. Pure. */
import type { SettingValue } from '@cambist/contract/settings';
import { invalid } from '#kernel/refusal.ts';
import type { Config } from '#app/config.ts';

/**
 * Whether this choice demands a second factor of admins: `default` means
 * everywhere but in `APP_ENV=local`, where a desk is tried out.
 */
export function demandsTwoFactor(
  chosen: SettingValue<'security'>['two_factor_for_admins'],
  { appEnv }: Pick<Config, 'appEnv'>,
): boolean {
  return chosen === 'on' || (chosen === 'default' && appEnv !== 'local');
}

/**
 * Nobody demands of all admins what they lack themselves: the console would
 * close behind them with the very press that saves.
 * @throws {Refusal} 422 on `two_factor_for_admins`
 */
export function refuseOwnLockOut(
  value: Readonly<Record<string, unknown>>,
  config: Pick<Config, 'appEnv'>,
  saver: { readonly hasTwoFactor: boolean },
): void {
  const chosen = value['two_factor_for_admins'];
  if (saver.hasTwoFactor || (chosen !== 'on' && chosen !== 'default')) return;
  if (!demandsTwoFactor(chosen, config)) return;
  throw invalid({
    two_factor_for_admins:
      'Your own account has no second step yet. Set one up first, or this would close the console to you.',
  });
}
