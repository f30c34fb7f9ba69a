/** Ways in to the messages: anyone writes one, the desk reads and answers them. */
import {
  addContactEntry,
  createContactSubmission,
  deleteContactSubmission,
  getContactSubmission,
  listContactSubmissions,
  updateContactSubmission,
} from '@cambist/contract/contact';
import { getFormStamp } from '@cambist/contract/form-stamp';
import { senderOf } from '#features/email/email.ts';
import type { Feature } from '#platform/feature.ts';
import { receiveOnce } from '#platform/http/filled-form.ts';
import { formStamp } from '#platform/security/form-stamp.ts';
import { onceNamed } from '#platform/http/idempotency.ts';
import { addEntry, get, list, receive, remove, update } from './contact.ts';

export const contact: Feature = {
  name: 'contact',
  routes(ways, deps) {
    // Of all public forms: the message's, the report's and the newsletter's.
    ways.public.serve(getFormStamp, async ({ reply }) => {
      reply.header('cache-control', 'no-store');
      return { data: { stamp: formStamp(deps.keys, deps.clock()) } };
    });
    ways.public.serve(createContactSubmission, async ({ params, body }) => {
      const { reference } = await receiveOnce(
        deps,
        createContactSubmission,
        { params, body },
        (once) => receive(once, body),
      );
      return { data: { reference } };
    });
    ways.admin.serve(listContactSubmissions, ({ query }) => list(deps.db, query));
    ways.admin.serve(getContactSubmission, async ({ params }) => ({
      data: await get(deps.db, params.id),
      sender: await senderOf(deps),
    }));
    ways.admin.serve(updateContactSubmission, async ({ params, body, actor, origin }) => ({
      data: await update(deps, { actor, origin }, params.id, body),
    }));
    ways.admin.serve(addContactEntry, (ask) =>
      onceNamed(
        deps,
        addContactEntry,
        ask,
        async (once) => {
          await addEntry(once, ask, ask.params.id, ask.body);
          return ask.params.id;
        },
        async (id) => ({ data: await get(deps.db, id) }),
      ),
    );
    ways.admin.serve(deleteContactSubmission, ({ params, actor, origin }) =>
      remove(deps, { actor, origin }, params.id),
    );
  },
};
