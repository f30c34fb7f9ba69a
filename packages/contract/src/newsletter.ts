/**
 * The newsletter's subscribers: an address is confirmed by the link of an email, and one click
 * unsubscribes it. Opening a link changes nothing by itself.
 */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint, publicReads, publicWrites } from './endpoint.ts';
import { Bait } from './feature-reports.ts';
import { Stamp } from './form-stamp.ts';
import { Cursor, cursorQuery, Email, Id, One, Strict, Time } from './wire.ts';

export const subscribe = endpoint({
  ...publicWrites,
  path: '/api/subscribers',
  throttle: 'email',
  summary:
    'Subscribes to the newsletter. The answer is always the same; the address gets an email to confirm.',
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

/** What the link of an email is about: who holds it has the mailbox. */
export const Subscription = Type.Object({
  email: Type.String(),
  state: Type.Enum(subscriberStates),
});

export const getSubscription = endpoint({
  ...publicReads,
  path: '/api/public/subscriptions/{token}',
  summary: 'What the link that confirms would confirm, without doing it.',
  params: byToken,
  reply: One(Subscription),
});

/** Twice is no error. */
export const confirmSubscription = endpoint({
  ...publicWrites,
  path: '/api/public/subscriptions/{token}',
  summary: 'Confirms a subscription by the link of its email.',
  status: 204,
  params: byToken,
  refusals: ['link_expired'],
});

export const getUnsubscription = endpoint({
  ...publicReads,
  path: '/api/public/unsubscriptions/{token}',
  summary: 'Whom the link would unsubscribe, without doing it.',
  params: byToken,
  reply: One(Subscription),
});

/** Twice is no error. */
export const unsubscribe = endpoint({
  ...publicWrites,
  path: '/api/public/unsubscriptions/{token}/end',
  // Mailboxes of very many people post from the same few networks.
  throttle: 'read',
  summary: 'Unsubscribes by the link of an email (RFC 8058).',
  status: 204,
  params: byToken,
  anyForm: true,
});

/** For mail programs that open the one-click address instead of posting to it. */
export const openUnsubscription = endpoint({
  ...publicReads,
  path: '/api/public/unsubscriptions/{token}/end',
  summary: 'Redirects to the page that asks whether to unsubscribe.',
  status: 302,
  params: byToken,
});

export const Subscriber = Type.Object({
  id: Id,
  email: Type.String(),
  locale: Type.String(),
  state: Type.Enum(subscriberStates),
  /** A confirmed form, or an import. */
  source: Type.Enum(['form', 'import'] as const),
  import_id: Type.Union([Id, Type.Null()]),
  /** The form was filled in by a bot, by all appearances: no email was sent. */
  suspected: Type.Boolean(),
  asked_at: Time,
  confirmed_at: Type.Union([Time, Type.Null()]),
  left_at: Type.Union([Time, Type.Null()]),
  bounced_at: Type.Union([Time, Type.Null()]),
  /** What the mail server said when it refused the address. */
  bounce_answer: Type.Union([Type.String(), Type.Null()]),
});
export type Subscriber = Static<typeof Subscriber>;

export const listSubscribers = endpoint({
  ...adminReads('content'),
  path: '/api/admin/subscribers',
  summary: 'Subscribers, the newest first; `q` is the beginning of an address.',
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
  ...adminReads('content'),
  path: '/api/admin/subscribers/export',
  fresh: true,
  summary: 'All subscribers as CSV, safe from what spreadsheets take for formulas.',
  streams: true,
});

export const deleteSubscriber = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/subscribers/{id}',
  summary: 'Deletes a subscriber for good.',
  status: 204,
  params: Strict({ id: Id }),
});
