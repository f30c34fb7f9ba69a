/**
 * Request bodies of the contact and report forms, read from their fields with or without script.
 * Pure.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  contactTopics,
  type ContactTopic,
  type createContactSubmission,
} from '@cambist/contract/contact';
import type { createFeatureReport } from '@cambist/contract/feature-reports';

/** Longer than any exchange number. */
const NUMBER_LENGTH = 20;
const PAGE_LENGTH = 300;

type Fields = Pick<FormData, 'get'>;

export function messageBody(form: Fields): BodyOf<typeof createContactSubmission> {
  return {
    name: text(form, 'name'),
    email: text(form, 'email').trim(),
    topic: readTopic(text(form, 'topic')) ?? 'other',
    exchange_number: text(form, 'exchange_number').trim(),
    message: text(form, 'message'),
    ...signs(form),
  };
}

export function reportBody(form: Fields): BodyOf<typeof createFeatureReport> {
  return {
    title: text(form, 'title'),
    description: text(form, 'description'),
    page: text(form, 'page').trim(),
    ...signs(form),
  };
}

/** The fields by which the API detects bots. */
export function signs(form: Fields): { website: string; stamp?: string } {
  const stamp = text(form, 'stamp');
  return { website: text(form, 'website'), ...(stamp === '' ? {} : { stamp }) };
}

/** Null for anything that is no topic. */
export function readTopic(typed: string | null): ContactTopic | null {
  return contactTopics.find((topic) => topic === typed) ?? null;
}

export interface Beginning {
  readonly name: string;
  readonly email: string;
  /** Empty until it is chosen. */
  readonly topic: string;
  readonly exchange_number: string;
}

/** The initial values: the signed-in user, and what the link named. */
export function beginningOf(
  query: Pick<URLSearchParams, 'get'>,
  user: { readonly name: string; readonly email: string } | null,
): Beginning {
  const exchange_number = (query.get('exchange') ?? '').trim().slice(0, NUMBER_LENGTH);
  return {
    name: user?.name ?? '',
    email: user?.email ?? '',
    topic: readTopic(query.get('topic')) ?? (exchange_number === '' ? '' : 'exchange'),
    exchange_number,
  };
}

/** The page in the link to the form. */
export function reportedPage(query: Pick<URLSearchParams, 'get'>): string {
  return (query.get('page') ?? '').trim().slice(0, PAGE_LENGTH);
}

/** The reference of the message just sent; null when invalid. */
export function sentReference(query: Pick<URLSearchParams, 'get'>): string | null {
  const sent = query.get('sent') ?? '';
  return /^MSG-\d{6,12}$/.test(sent) ? sent : null;
}

function text(form: Fields, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
