/**
 * The alert form's action: sets the alert, or shows the form again with its values and the failure.
 */
import type { User } from '@cambist/contract/accounts';
import { createRateAlert } from '@cambist/contract/alerts';
import { rateHistory, type RateHistory } from '@cambist/contract/rate-history';
import { fail, redirect } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';
import { formatFigure, readFigure } from '#lib/format/figure.ts';
import { signInPath } from '#lib/account/next-path.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { renderStatic } from '#lib/server/html/static-part.ts';
import type { HtmlPart } from '#lib/browser/static-html.ts';
import AlertForm from './AlertForm.svelte';
import { askedIn, pathWith, type AskedAlert } from './asked-alert.ts';
import type { RequestEvent } from './$types.js';

/** The failure. */
interface Why {
  readonly error?: string;
  readonly refusal?: string;
}

/** The form as HTML. */
export function alertForm(
  { pair, send, receive }: Pick<RateHistory, 'pair' | 'send' | 'receive'>,
  user: User | null,
  asked: AskedAlert | null,
  why: Why = {},
): Promise<HtmlPart> {
  const person = user && {
    email: user.email,
    verified: user.email_verified_at !== null,
  };
  return renderStatic(AlertForm, { pair, send, receive, asked, person, ...why });
}

export async function setAlert({ locals, params, request }: RequestEvent) {
  const form = await request.formData();
  const asked = askedIn(form) ?? blank;
  const back = pathWith(params.pair, asked);
  if (locals.user === null) redirect(303, signInPath(back));
  const target = readFigure(asked.target, getLocale());
  const refused = async (status: number, why: Why) => {
    const { data: pair } = await locals.call(rateHistory, { params: { pair: params.pair } });
    return fail(status, { alert: await alertForm(pair, locals.user, asked, why) });
  };
  if (target === null) return refused(422, { error: m.alerts_target_invalid({ example: '0.95' }) });
  const body = { pair: params.pair, direction: asked.direction, target };
  let added: string;
  try {
    added = (await locals.call(createRateAlert, { body })).data.id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) redirect(303, signInPath(back));
    const [words] = error.failure.errors['target'] ?? [];
    const why = words === undefined ? { refusal: error.message } : { error: grouped(words) };
    return refused(error.status >= 400 ? error.status : 503, why);
  }
  redirect(303, `/account/alerts?${new URLSearchParams({ added })}`);
}

/** Formats the figures in the API's message. */
function grouped(words: string): string {
  return words.replace(/\d+(?:\.\d+)?/g, (figure) => formatFigure(figure, getLocale()));
}

const blank: AskedAlert = { direction: 'at_least', target: '' };
