import { forgotPassword } from '@cambist/contract/accounts';
import { answerPath, isAnswer, resetEmailCookie } from '#lib/account/forgot-password.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types.js';

function typedEmail(form: FormData): string {
  return String(form.get('email') ?? '').trim();
}

function remember(email: string, { cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>): void {
  const secure = url.protocol === 'https:';
  cookies.set(resetEmailCookie.name, email, { ...resetEmailCookie.options, secure });
}

export const load: PageServerLoad = (event) => {
  const email = event.cookies.get(resetEmailCookie.name) ?? null;
  const answers = isAnswer(event.url) && email !== null;
  // Shown once: a reload does not show it to the next user of this computer.
  if (answers) remember('', event);
  return { sentTo: answers ? email : '', answers };
};

export const actions = {
  default: apiAction<typeof forgotPassword>({
    endpoint: forgotPassword,
    read: (form) => ({ body: { email: typedEmail(form) } }),
    done: (_reply, event, form) => {
      remember(typedEmail(form), event);
      return answerPath(event.url);
    },
  }),
} satisfies Actions;
