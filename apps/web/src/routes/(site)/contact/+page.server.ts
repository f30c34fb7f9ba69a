/** The contact form: its initial values, and its action without script. */
import { createContactSubmission } from '@cambist/contract/contact';
import { beginningOf, messageBody, sentReference } from '#lib/contact/typed-message.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { formStamp } from '#lib/server/form-stamp.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { contactJsonLd } from './json-ld.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = new URLSearchParams(url.search);
  return {
    beginning: beginningOf(query, locals.user),
    sent: sentReference(query),
    stamp: await formStamp(locals.call),
    structured: contactJsonLd(url.origin, await siteSettings()),
  };
};

export const actions = {
  default: apiAction<typeof createContactSubmission>({
    endpoint: createContactSubmission,
    read: (form) => ({ body: messageBody(form) }),
    // A redirect, so that a reload sends nothing again.
    done: ({ data }) => `/contact?sent=${data.reference}`,
  }),
} satisfies Actions;
