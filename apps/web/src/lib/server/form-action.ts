/**
 * The way of a form before script has loaded: a form action that calls the API
 * as the visitor and gives the page what it needs to show the form again.
 */
import { createHash } from 'node:crypto';
import { fail, isRedirect, redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { Endpoint, ReplyOf } from '@cambist/contract/endpoint';
import { ApiError, type Failure, type Inputs } from '../api.ts';
import { isAnswered, onceField } from '../deed-key.ts';
import { isAnother, personField } from '../person.ts';

/** What `form` holds after a refusal: why, and what had been typed. */
export interface FormFailure {
  failure: Failure;
  values: Record<string, string>;
}

export interface ApiAction<E extends Endpoint, Done> {
  endpoint: E;
  /** Takes the endpoint's inputs out of the submitted form. */
  read: (form: FormData, event: RequestEvent) => Inputs<E>;
  /** A path to go on to (303), or what the page shows as `form`. */
  done: (reply: ReplyOf<E>, event: RequestEvent, form: FormData) => string | Done;
}

// What must never come back in a page.
const secret = /password|token|code/i;

/** Whom the form's page was made for, if it says so (lib/ui/MadeFor.svelte): another's session refuses it. */
export function personOf(form: FormData): { person?: string } {
  const person = form.get(personField);
  return typeof person === 'string' ? { person } : {};
}

/** Of all that is typed, as other words are another deed: sent again as it was, the form is answered again. */
function keyOf(form: FormData): { idempotencyKey?: string } {
  if (!form.get(onceField)) return {};
  const all = JSON.stringify([...form]);
  return { idempotencyKey: createHash('sha256').update(all).digest('base64url') };
}

export function apiAction<E extends Endpoint, Done extends Record<string, unknown> = never>(
  options: ApiAction<E, Done>,
): (event: RequestEvent) => Promise<Done | ActionFailure<FormFailure>> {
  return async (event) => {
    const form = await event.request.formData();
    try {
      const inputs = options.read(form, event);
      // The tuple of a generic endpoint's inputs cannot be told apart here.
      const call = event.locals.call as (endpoint: E, inputs: Inputs<E>) => Promise<ReplyOf<E>>;
      const reply = await call(options.endpoint, { ...inputs, ...personOf(form), ...keyOf(form) });
      const outcome = options.done(reply, event, form);
      if (typeof outcome === 'string') redirect(303, outcome);
      return outcome;
    } catch (error) {
      if (isRedirect(error) || !(error instanceof ApiError)) throw error;
      const status = error.status >= 400 && error.status < 600 ? error.status : 503;
      if (isAnother(error)) return fail(status, displaced(form, error.failure, event));
      // What is sent after an answer is another deed, and the page that comes back has a key for it.
      if (isAnswered(error.failure)) form.delete(onceField);
      return fail(status, { failure: error.failure, values: typedValues(form) });
    }
  };
}

/** The page that comes back is the other person's: it names them, and what is typed there is theirs. */
function displaced(form: FormData, failure: Failure, { locals }: RequestEvent): FormFailure {
  const part = form.get('part');
  // Several forms share the account's page, and each shows its own refusal.
  return { failure: ofAnother(failure, locals), values: typeof part === 'string' ? { part } : {} };
}

/** Who is signed in is known by their name, as on every page of theirs. */
export function ofAnother(failure: Failure, { user }: Pick<App.Locals, 'user'>): Failure {
  return user === null ? failure : { ...failure, signed_in_as: user.name };
}

function typedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string' && name !== personField && !secret.test(name))
      values[name] = value;
  }
  return values;
}
