/**
 * Campaigns: one email to every confirmed subscriber, or to those of a language, sent at a limited
 * rate from a queue of its own, so that no other email waits for it.
 */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { PlannedTime } from './schedule.ts';
import { Cursor, cursorQuery, Id, maxInteger, One, Strict, Time, Version } from './wire.ts';

export const campaignStates = ['draft', 'scheduled', 'sending', 'stopped', 'sent'] as const;
export type CampaignState = (typeof campaignStates)[number];

const nullableTime = Type.Union([Time, Type.Null()]);
const Locale = Type.Union([
  Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', maxLength: 5 }),
  Type.Null(),
]);

export const CampaignNote = Type.Object({
  id: Id,
  subject: Type.String(),
  state: Type.Enum(campaignStates),
  /** The campaign was stopped because the mail server refused too many of its emails. */
  stopped_by_refusals: Type.Boolean(),
  version: Type.Integer(),
  /** Only subscribers who read this language; null for all. */
  locale: Locale,
  scheduled_at: nullableTime,
  started_at: nullableTime,
  done_at: nullableTime,
  /** How many subscribers there were when it started. */
  recipients: Type.Union([Type.Integer(), Type.Null()]),
  counts: Type.Object({
    queued: Type.Integer(),
    sent: Type.Integer(),
    /** Refused for good, or after all attempts. */
    failed: Type.Integer(),
    /** Not sent: the subscriber left meanwhile. */
    skipped: Type.Integer(),
    /** Unsubscribed by this email. */
    unsubscribed: Type.Integer(),
  }),
  created_by: Type.Union([Type.String(), Type.Null()]),
  updated_at: Time,
});
export type CampaignNote = Static<typeof CampaignNote>;

export const CampaignContent = Strict({
  subject: Type.String({ maxLength: 200 }),
  /** What a mailbox shows beside the subject. */
  preview: Type.String({ maxLength: 200 }),
  /** HTML; what emails must not hold is removed. */
  body: Type.String({ maxLength: 150_000 }),
  locale: Locale,
});
export type CampaignContent = Static<typeof CampaignContent>;

export const Campaign = Type.Object({
  ...CampaignNote.properties,
  preview: Type.String(),
  body: Type.String(),
  /** What the mail server said last of an email that failed. */
  last_error: Type.Union([Type.String(), Type.Null()]),
});
export type Campaign = Static<typeof Campaign>;

const byId = Strict({ id: Id });
const path = '/api/admin/campaigns';

export const listCampaigns = endpoint({
  ...adminReads('content'),
  path,
  summary: 'Campaigns, the newest first.',
  query: Strict({ ...cursorQuery, state: Type.Optional(Type.Enum(campaignStates)) }),
  reply: Cursor(CampaignNote),
});

export const createCampaign = endpoint({
  ...adminWrites('content'),
  path,
  summary: 'Creates a draft, empty or as a copy of the campaign `from`.',
  status: 201,
  body: Strict({ from: Type.Optional(Id) }),
  reply: One(Campaign),
});

export const getCampaign = endpoint({
  ...adminReads('content'),
  path: `${path}/{id}`,
  summary: 'One campaign with its content and its progress.',
  params: byId,
  reply: One(Campaign),
});

/** `removed` names the HTML elements that were removed. */
export const saveCampaign = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Replaces the content of a draft.',
  params: byId,
  longText: true,
  body: Strict({ version: Version, ...CampaignContent.properties }),
  reply: One(Type.Object({ ...Campaign.properties, removed: Type.Array(Type.String()) })),
  refusals: ['version_conflict', 'campaign_not_draft'],
});

export const deleteCampaign = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Deletes a draft for good; what was sent stays.',
  status: 204,
  params: byId,
  refusals: ['campaign_not_draft'],
});

export const previewCampaign = endpoint({
  ...adminReads('content'),
  path: `${path}/{id}/preview`,
  summary: 'The email as it would be sent, as HTML and as text; its links open nothing.',
  params: byId,
  reply: One(Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() })),
});

export const testCampaign = endpoint({
  ...adminWrites('content'),
  path: `${path}/{id}/test`,
  throttle: 'email',
  summary: 'Sends the email to the admin who asks, and to no one else.',
  params: byId,
  reply: One(Type.Object({ recipient: Type.String() })),
  refusals: ['campaign_unready'],
});

export const getCampaignAudience = endpoint({
  ...adminReads('content'),
  path: '/api/admin/campaign-audience',
  summary:
    'How many confirmed subscribers there are, by language, and how many emails are sent a minute.',
  reply: One(
    Type.Object({
      all: Type.Integer(),
      locales: Type.Array(Type.Object({ locale: Type.String(), count: Type.Integer() })),
      per_minute: Type.Integer(),
    }),
  ),
});

/** To more than this many people only within ten minutes of a confirmation. */
export const freshAbove = 100;

export const sendCampaign = endpoint({
  ...adminWrites('content'),
  path: `${path}/{id}/send`,
  summary:
    'Sends a draft, now or at a time; `recipients` is the count that was agreed to, refused where there are more by now. To more than 100 people it needs a fresh confirmation.',
  params: byId,
  body: Strict({
    version: Version,
    /** Null: now. */
    send_at: Type.Union([PlannedTime, Type.Null()]),
    recipients: Type.Integer({ minimum: 0, maximum: maxInteger }),
  }),
  reply: One(Campaign),
  refusals: [
    'version_conflict',
    'campaign_not_draft',
    'campaign_unready',
    'recipients_changed',
    'confirmation_required',
  ],
});

export const campaignActs = ['unschedule', 'stop', 'resume'] as const;
export type CampaignAct = (typeof campaignActs)[number];

export const changeCampaign = endpoint({
  ...adminWrites('content'),
  path: `${path}/{id}/acts`,
  summary:
    'Makes a scheduled campaign a draft again, stops a campaign, or resumes a stopped or sent one: then failed emails are tried again too.',
  params: byId,
  body: Strict({ act: Type.Enum(campaignActs) }),
  reply: One(Campaign),
  refusals: ['campaign_state_changed'],
});
