import { redirect } from '@sveltejs/kit';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { getTwoFactorChallenge, twoFactorChallenge } from '@cambist/contract/second-factor';
import { everyMethod, secondStepPath } from '#lib/account/second-step.ts';
import { afterSignIn } from '#lib/after-signin.ts';
import { ApiError } from '#lib/api.ts';
import { apiAction, personOf } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/**
 * Whoever comes back to this page may have begun again meanwhile, also in another tab. Its address names whose step
 * it is: loaded anew where somebody else has signed in by then, it can say so.
 */
export const load: PageServerLoad = async ({ locals, request, url }) => {
  const found = await whatWaits(locals.call);
  const isNamed = found.person === null || found.person === url.searchParams.get('person');
  if (!isNamed && request.method === 'GET') redirect(303, addressOf(found.person, url));
  return found;
};

async function whatWaits(
  call: App.Locals['call'],
): Promise<ReplyOf<typeof getTwoFactorChallenge>['data']> {
  try {
    return (await call(getTwoFactorChallenge)).data;
  } catch (error) {
    // The proof itself will tell: nobody is kept from it.
    if (!(error instanceof ApiError)) throw error;
    return { waiting: true, methods: [...everyMethod], person: null, email: null };
  }
}

/** The same page with the name of whose it is. */
function addressOf(person: string | null, { searchParams }: URL): string {
  const by = everyMethod.find((method) => method === searchParams.get('by')) ?? null;
  return secondStepPath(searchParams.get('next'), { person, by });
}

export const actions = {
  default: apiAction<typeof twoFactorChallenge>({
    endpoint: twoFactorChallenge,
    read: (form, { locals: { user }, url }) => {
      // Pressed twice, the form has let this person in already.
      if (user !== null && personOf(form).person === user.id) {
        redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
      }
      const recovery_code = form.get('recovery_code');
      if (recovery_code !== null) return { body: { recovery_code: String(recovery_code).trim() } };
      return { body: { code: String(form.get('code') ?? '').trim() } };
    },
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
