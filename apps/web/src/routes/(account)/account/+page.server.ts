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
import { nextForEmail } from '#lib/account/next-path.ts';
import { locales } from '#lib/paraglide/runtime.js';
import { takeDone, markDone } from '#lib/server/account-done.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { orElse } from '#lib/server/or-else.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Open exchanges block deleting the account. */
async function openExchanges(call: App.Locals['call']) {
  const answer = await orElse(call(listExchanges, { query: { state: 'open', per_page: 5 } }), null);
  return answer && { numbers: answer.data.map(({ number }) => number), total: answer.meta.total };
}

/** As paraglide writes it in the browser. */
const localeCookie = { path: '/', maxAge: 31_536_000, sameSite: 'lax', httpOnly: false } as const;

export const load: PageServerLoad = async ({ locals, cookies, url }) => {
  const { call } = locals;
  const [sessions, factor, identities, open, providers] = await Promise.all([
    orElse(call(listSessions), null),
    orElse(call(getSecondFactor), null),
    orElse(call(listIdentities), null),
    openExchanges(call),
    offeredProviders(call),
  ]);
  const done = takeDone({ cookies, url });
  return {
    sessions: sessions?.data ?? null,
    factor: factor?.data ?? null,
    identities: identities?.data ?? null,
    open,
    providers,
    done,
    locales: [...locales],
  };
};

const showDone =
  (part: FormPart) => (_reply: unknown, event: Pick<RequestEvent, 'cookies' | 'url'>) =>
    markDone(part, event);
const text = (form: FormData, name: string) => String(form.get(name) ?? '');

/** Accounts without a password have no such field. */
function currentPassword(form: FormData): { current_password?: string } {
  return form.has('current_password') ? { current_password: text(form, 'current_password') } : {};
}

const endOne = apiAction<typeof endSession>({
  endpoint: endSession,
  read: (form) => ({ params: { id: text(form, 'id') } }),
  done: showDone('sessions'),
});

/** The forms that work without script. */
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
      return markDone('profile', event);
    },
  }),
  email: apiAction<typeof changeEmail>({
    endpoint: changeEmail,
    read: (form) => ({ body: { email: text(form, 'email').trim(), ...currentPassword(form) } }),
    done: showDone('email'),
  }),
  // Asking for the current address cancels the pending change; it needs no confirmation.
  keep_email: apiAction<typeof changeEmail>({
    endpoint: changeEmail,
    read: (_form, { locals }) => ({ body: { email: locals.user?.email ?? '' } }),
    done: showDone('keep-email'),
  }),
  resend: apiAction<typeof sendVerification>({
    endpoint: sendVerification,
    read: (form) => ({ query: nextForEmail(text(form, 'next') || null) }),
    done: showDone('resend'),
  }),
  password: apiAction<typeof changePassword>({
    endpoint: changePassword,
    read: (form) => ({ body: { password: text(form, 'password'), ...currentPassword(form) } }),
    done: showDone('password'),
  }),
  session: async (event) => {
    const answer = await endOne(event);
    // Already ended, as in another tab.
    if (answer.status === 404) redirect(303, markDone('sessions', event));
    return answer;
  },
  other_sessions: apiAction<typeof endOtherSessions>({
    endpoint: endOtherSessions,
    read: () => ({}),
    done: showDone('sessions'),
  }),
} satisfies Actions;
