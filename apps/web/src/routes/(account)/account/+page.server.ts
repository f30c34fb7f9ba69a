import { listSessions } from '@cambist/contract/accounts';
import { listIdentities } from '@cambist/contract/providers';
import { getSecondFactor } from '@cambist/contract/second-factor';
import { ApiError } from '#lib/api.ts';
import { locales } from '#lib/paraglide/runtime.js';
import { offeredProviders } from '#lib/server/providers.ts';
import type { PageServerLoad } from './$types.js';

/** One part that cannot be had leaves the others to use. */
async function part<T>(asked: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asked).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

export const load: PageServerLoad = async ({ locals }) => {
  const { call } = locals;
  const [sessions, factor, identities, providers] = await Promise.all([
    part(call(listSessions)),
    part(call(getSecondFactor)),
    part(call(listIdentities)),
    offeredProviders(call),
  ]);
  return { sessions, factor, identities, providers, locales: [...locales] };
};
