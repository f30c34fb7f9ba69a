/**
 * The newsletter's subscribers. Nobody is one before the address has confirmed it,
 * and one press ends it; what opens a link never changes anything by itself.
 */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Bait } from './feature-reports.ts';
import { Stamp } from './form-stamp.ts';
import { Cursor, cursorQuery, Email, Id, One, Strict, Time } from './wire.ts';

export const subscribe = endpoint({
  method: 'POST',
  path: '/api/subscribers',
  scope: 'public',
  throttle: 'letter',
  summary:
    'Asks for the newsletter. The answer is the same, whoever asks; the address gets a letter.',
  status: 202,
  body: Strict({
    email: Email,
    locale: Type.Optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', maxLength: 5 })),
    website: Bait,
    stamp: Stamp,
  }),
  reply: One(Type.Object({ accepted: Type.Literal(true) })),
  refusals: ['site_closed'],
});

export const subscriberStates = ['pending', 'confirmed', 'left', 'bounced'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

const byToken = Strict({ token: Type.String({ maxLength: 100 }) });

/** What a letter's link is about: whoever holds it has the mailbox. */
export const SubscriptionSight = Type.Object({
  email: Type.String(),
  state: Type.Enum(subscriberStates),
});

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/public/subscriptions/{token}',
  scope: 'public',
  throttle: 'read',
  summary: 'What the link that confirms would confirm, without doing it.',
  status: 200,
  params: byToken,
  reply: One(SubscriptionSight),
});

/** Twice is no error. */
export const confirmSubscription = endpoint({
  method: 'POST',
  path: '/api/public/subscriptions/{token}',
  scope: 'public',
  throttle: 'write',
  summary: 'Confirms a subscription, for whoever holds the link of its letter.',
  status: 204,
  params: byToken,
  refusals: ['link_expired'],
});

export const getUnsubscription = endpoint({
  method: 'GET',
  path: '/api/public/unsubscriptions/{token}',
  scope: 'public',
  throttle: 'read',
  summary: 'Whose newsletter the link would end, without ending it.',
  status: 200,
  params: byToken,
  reply: One(SubscriptionSight),
});

/** Twice is no error. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/public/unsubscriptions/{token}/end',
  scope: 'public',
  // Mailboxes of very many people post from the same few networks.
  throttle: 'read',
  summary: 'Ends the newsletter, for whoever holds the link of a letter (RFC 8058).',
  status: 204,
  params: byToken,
  anyForm: true,
});

/** For mail programs that open the address of the one click instead of posting to it. */
export const openUnsubscription = endpoint({
  method: 'GET',
  path: '/api/public/unsubscriptions/{token}/end',
  scope: 'public',
  throttle: 'read',
  summary: 'Leads to the page that asks whether to end the newsletter.',
  status: 302,
  params: byToken,
});

export const Subscriber = Type.Object({
  id: Id,
  email: Type.String(),
  locale: Type.String(),
  state: Type.Enum(subscriberStates),
  /** A form whose letter they confirm, or a list that was imported: that until they do. */
  source: Type.Enum(['form', 'import'] as const),
  import_id: Type.Union([Id, Type.Null()]),
  /** A machine asked, by all appearances: no letter went out. */
  suspected: Type.Boolean(),
  asked_at: Time,
  confirmed_at: Type.Union([Time, Type.Null()]),
  left_at: Type.Union([Time, Type.Null()]),
  bounced_at: Type.Union([Time, Type.Null()]),
  /** What the mail server said of the mailbox. */
  bounce_words: Type.Union([Type.String(), Type.Null()]),
});
export type Subscriber = Static<typeof Subscriber>;

export const listSubscribers = endpoint({
  method: 'GET',
  path: '/api/admin/subscribers',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary: 'Subscribers, who asked last first; `q` is the beginning of an address.',
  status: 200,
  query: Strict({
    ...cursorQuery,
    state: Type.Optional(Type.Enum(subscriberStates)),
    q: Type.Optional(Type.String({ maxLength: 254 })),
  }),
  reply: Type.Object({
    ...Cursor(Subscriber).properties,
    counts: Type.Object({
      pending: Type.Integer(),
      confirmed: Type.Integer(),
      left: Type.Integer(),
      bounced: Type.Integer(),
    }),
  }),
});

/** The spreadsheet itself, so it has no reply schema. */
export const exportSubscribers = endpoint({
  method: 'GET',
  path: '/api/admin/subscribers/export',
  scope: 'admin',
  permission: 'content',
  fresh: true,
  throttle: 'read',
  summary: 'All subscribers as CSV, safe from what spreadsheets take for formulas.',
  status: 200,
  streams: true,
});

export const deleteSubscriber = endpoint({
  method: 'DELETE',
  path: '/api/admin/subscribers/{id}',
  scope: 'admin',
  permission: 'content',
  throttle: 'write',
  summary: 'Forgets a subscriber for good.',
  status: 204,
  params: Strict({ id: Id }),
});
