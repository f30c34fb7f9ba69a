import { redirect, type RequestEvent } from '@sveltejs/kit';
import {
  changeEmail,
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  sendVerification,
  updateProfile,
} from '@cambist/contract/accounts';
import { listExchanges } from '@cambist/contract/exchanges';
import { listIdentities } from '@cambist/contract/providers';
import { getSecondFactor } from '@cambist/contract/second-factor';
import type { FormPart } from '#lib/account/answered.ts';
import { nextOfLetter } from '#lib/account/keep-next.ts';
import { ApiError } from '#lib/api/client.ts';
import { locales } from '#lib/paraglide/runtime.js';
import { takeDone, tellDone } from '#lib/server/account-done.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** One part that cannot be had leaves the others to use. */
async function part<T>(asked: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asked).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** What stands in the way of deleting the account. */
async function openExchanges(call: App.Locals['call']) {
  try {
    const { data, meta } = await call(listExchanges, { query: { state: 'open', per_page: 5 } });
    return { numbers: data.map(({ number }) => number), total: meta.total };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** As the language's own script writes it. */
const localeCookie = { path: '/', maxAge: 31_536_000, sameSite: 'lax', httpOnly: false } as const;

export const load: PageServerLoad = async ({ locals, cookies, url }) => {
  const { call } = locals;
  const [sessions, factor, identities, open, providers] = await Promise.all([
    part(call(listSessions)),
    part(call(getSecondFactor)),
    part(call(listIdentities)),
    openExchanges(call),
    offeredProviders(call),
  ]);
  const done = takeDone({ cookies, url });
  return { sessions, factor, identities, open, providers, done, locales: [...locales] };
};

const told = (part: FormPart) => (_reply: unknown, event: Pick<RequestEvent, 'cookies' | 'url'>) =>
  tellDone(part, event);
const text = (form: FormData, name: string) => String(form.get(name) ?? '');

/** Who came through a provider has none to give. */
function currentPassword(form: FormData): { current_password?: string } {
  return form.has('current_password') ? { current_password: text(form, 'current_password') } : {};
}

const endOne = apiAction<typeof endSession>({
  endpoint: endSession,
  read: (form) => ({ params: { id: text(form, 'id') } }),
  done: told('sessions'),
});

/** The forms that need no dialog, for where there is no script yet. */
export const actions = {
  profile: apiAction<typeof updateProfile>({
    endpoint: updateProfile,
    read: (form) => ({
      body: {
        name: text(form, 'name').trim(),
        ...(form.has('locale') ? { locale: text(form, 'locale') } : {}),
      },
    }),
    done: ({ data }, event) => {
      if (locales.length > 1) event.cookies.set('locale', data.locale, localeCookie);
      return tellDone('profile', event);
    },
  }),
  email: apiAction<typeof changeEmail>({
    endpoint: changeEmail,
    read: (form) => ({ body: { email: text(form, 'email').trim(), ...currentPassword(form) } }),
    done: told('email'),
  }),
  // Asking for the address that is in use already drops the change that waits; it needs no proof.
  keep_email: apiAction<typeof changeEmail>({
    endpoint: changeEmail,
    read: (_form, { locals }) => ({ body: { email: locals.user?.email ?? '' } }),
    done: told('keep-email'),
  }),
  letter: apiAction<typeof sendVerification>({
    endpoint: sendVerification,
    read: (form) => ({ query: nextOfLetter(text(form, 'next') || null) }),
    done: told('letter'),
  }),
  password: apiAction<typeof changePassword>({
    endpoint: changePassword,
    read: (form) => ({ body: { password: text(form, 'password'), ...currentPassword(form) } }),
    done: told('password'),
  }),
  session: async (event) => {
    const answer = await endOne(event);
    // Ended already, as by another tab: what was wanted is so, and the list is read anew.
    if (answer.status === 404) redirect(303, tellDone('sessions', event));
    return answer;
  },
  other_sessions: apiAction<typeof endOtherSessions>({
    endpoint: endOtherSessions,
    read: () => ({}),
    done: told('sessions'),
  }),
} satisfies Actions;
