/**
 * The way of a form before script has loaded: a form action that calls the API
 * as the visitor and gives the page what it needs to show the form again.
 */
import { fail, isRedirect, redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { Endpoint, ReplyOf } from '@cambist/contract/endpoint';
import { ApiError, type Failure, type Inputs } from '#lib/api/client.ts';

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

export function apiAction<E extends Endpoint, Done extends Record<string, unknown> = never>(
  options: ApiAction<E, Done>,
): (event: RequestEvent) => Promise<Done | ActionFailure<FormFailure>> {
  return async (event) => {
    const form = await event.request.formData();
    try {
      const inputs = options.read(form, event);
      // The tuple of a generic endpoint's inputs cannot be told apart here.
      const call = event.locals.call as (endpoint: E, inputs: Inputs<E>) => Promise<ReplyOf<E>>;
      const reply = await call(options.endpoint, inputs);
      const outcome = options.done(reply, event, form);
      if (typeof outcome === 'string') redirect(303, outcome);
      return outcome;
    } catch (error) {
      if (isRedirect(error) || !(error instanceof ApiError)) throw error;
      const status = error.status >= 400 && error.status < 600 ? error.status : 503;
      return fail(status, { failure: error.failure, values: typedValues(form) });
    }
  };
}

function typedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string' && !secret.test(name)) values[name] = value;
  }
  return values;
}
