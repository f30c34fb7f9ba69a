import { forgotPassword } from '@cambist/contract/accounts';
import { answerPath, isAnswer, resetAsked } from '#lib/account/reset-asked.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

function typedEmail(form: FormData): string {
  return String(form.get('email') ?? '').trim();
}

export const load: PageServerLoad = ({ cookies, url }) => {
  const asked = cookies.get(resetAsked.name) ?? null;
  return { asked, answers: isAnswer(url) && asked !== null };
};

export const actions = {
  default: apiAction<typeof forgotPassword>({
    endpoint: forgotPassword,
    read: (form) => ({ body: { email: typedEmail(form) } }),
    done: (_reply, { cookies, url }, form) => {
      const secure = url.protocol === 'https:';
      cookies.set(resetAsked.name, typedEmail(form), { ...resetAsked.options, secure });
      return answerPath(url);
    },
  }),
} satisfies Actions;
