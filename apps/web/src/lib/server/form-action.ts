/**
 * A form action that calls the API as the visitor, for forms that are sent before script has
 * loaded.
 */
import { fail, isRedirect, redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { Endpoint, ReplyOf } from '@cambist/contract/endpoint';
import { ApiError, type Failure, type Inputs } from '#lib/api/client.ts';

/** `form` after a failure: the failure and the values that were sent. */
export interface FormFailure {
  failure: Failure;
  values: Record<string, string>;
}

export interface ApiAction<E extends Endpoint, Done> {
  endpoint: E;
  /** Reads the endpoint's inputs from the form. */
  read: (form: FormData, event: RequestEvent) => Inputs<E>;
  /** A path to redirect to (303), or the data for `form`. */
  done: (reply: ReplyOf<E>, event: RequestEvent, form: FormData) => string | Done;
}

// Fields that must not be sent back in a page.
const secret = /password|token|code/i;

export function apiAction<E extends Endpoint, Done extends Record<string, unknown> = never>(
  options: ApiAction<E, Done>,
): (event: RequestEvent) => Promise<Done | ActionFailure<FormFailure>> {
  return async (event) => {
    const form = await event.request.formData();
    try {
      const inputs = options.read(form, event);
      // TypeScript cannot resolve the tuple of a generic endpoint's inputs.
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
