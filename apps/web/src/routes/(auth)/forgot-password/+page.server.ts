import { forgotPassword } from '@cambist/contract/accounts';
import { answerPath, isAnswer, resetAsked } from '#lib/account/reset-asked.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types.js';

function typedEmail(form: FormData): string {
  return String(form.get('email') ?? '').trim();
}

function remember(email: string, { cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>): void {
  const secure = url.protocol === 'https:';
  cookies.set(resetAsked.name, email, { ...resetAsked.options, secure });
}

export const load: PageServerLoad = (event) => {
  const asked = event.cookies.get(resetAsked.name) ?? null;
  const answers = isAnswer(event.url) && asked !== null;
  // Told once: whoever sits down here next reloads the page without it.
  if (answers) remember('', event);
  return { asked: answers ? asked : '', answers };
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
