/**
 * Campaigns: one letter to everybody who has confirmed the newsletter, handed to
 * the mail server at a limited rate and behind nothing that somebody waits for.
 */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { PlannedTime } from './schedule.ts';
import { Cursor, cursorQuery, Id, maxInteger, One, Strict, Time, Version } from './wire.ts';

export const campaignStates = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'cancelled',
  'sent',
] as const;
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
  /** It stopped by itself: too many of its letters came to nothing. */
  paused_for: Type.Union([Type.Literal('refusals'), Type.Null()]),
  version: Type.Integer(),
  /** Only those who read this language; null for all. */
  locale: Locale,
  scheduled_at: nullableTime,
  started_at: nullableTime,
  done_at: nullableTime,
  /** How many there were to write to when it started. */
  recipients: Type.Union([Type.Integer(), Type.Null()]),
  counts: Type.Object({
    /** Written, not sent yet. */
    queued: Type.Integer(),
    sent: Type.Integer(),
    /** Refused for good, or after six hours of attempts. */
    failed: Type.Integer(),
    /** There is no such mailbox. */
    bounced: Type.Integer(),
    /** Not sent any more, written or not: its reader left meanwhile, or the campaign was cancelled. */
    skipped: Type.Integer(),
    /** Readers who ended the newsletter by this letter. */
    ended: Type.Integer(),
  }),
  created_by: Type.Union([Type.String(), Type.Null()]),
  updated_at: Time,
});
export type CampaignNote = Static<typeof CampaignNote>;

export const CampaignContent = Strict({
  subject: Type.String({ maxLength: 200 }),
  /** What a mailbox shows beside the subject. */
  preview: Type.String({ maxLength: 200 }),
  /** HTML; what letters may not hold is taken out. */
  body: Type.String({ maxLength: 150_000 }),
  locale: Locale,
});
export type CampaignContent = Static<typeof CampaignContent>;

export const Campaign = Type.Object({
  ...CampaignNote.properties,
  preview: Type.String(),
  body: Type.String(),
  /** Who wrote its words last; null where nobody has since it was begun. */
  saved_by: Type.Union([Type.String(), Type.Null()]),
  saved_by_id: Type.Union([Id, Type.Null()]),
});
export type Campaign = Static<typeof Campaign>;

/** A letter that came to nothing. */
export const RefusedLetter = Type.Object({
  id: Id,
  recipient: Type.String(),
  /** `bounced`: there is no such mailbox. */
  state: Type.Enum(['failed', 'bounced'] as const),
  /** What the server said; null once the letter is forgotten, after 90 days. */
  answer: Type.Union([Type.String(), Type.Null()]),
  at: nullableTime,
});
export type RefusedLetter = Static<typeof RefusedLetter>;

const byId = Strict({ id: Id });
const path = '/api/admin/campaigns';
const scope = { scope: 'admin', permission: 'content' } as const;

export const listCampaigns = endpoint({
  method: 'GET',
  path,
  ...scope,
  throttle: 'read',
  summary: 'Campaigns, the newest first.',
  status: 200,
  query: Strict({ ...cursorQuery, state: Type.Optional(Type.Enum(campaignStates)) }),
  reply: Cursor(CampaignNote),
});

export const createCampaign = endpoint({
  method: 'POST',
  path,
  ...scope,
  throttle: 'write',
  summary: 'Begins a campaign, as a draft; `from` is one whose words it begins with.',
  status: 201,
  idempotent: 'where_sent',
  body: Strict({ from: Type.Optional(Id) }),
  reply: One(Campaign),
});

export const getCampaign = endpoint({
  method: 'GET',
  path: `${path}/{id}`,
  ...scope,
  throttle: 'read',
  summary: 'One campaign with its words, its progress and its counts.',
  status: 200,
  params: byId,
  reply: One(Campaign),
});

/** `removed` names what of the HTML had no place. */
export const saveCampaign = endpoint({
  method: 'PUT',
  path: `${path}/{id}`,
  ...scope,
  throttle: 'write',
  summary: 'Replaces the words of a draft.',
  status: 200,
  params: byId,
  longText: true,
  body: Strict({ version: Version, ...CampaignContent.properties }),
  reply: One(Type.Object({ ...Campaign.properties, removed: Type.Array(Type.String()) })),
  refusals: ['version_conflict', 'campaign_not_draft'],
});

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  ...scope,
  throttle: 'write',
  summary: 'Deletes a draft for good; what was sent stays.',
  status: 204,
  params: byId,
  refusals: ['campaign_not_draft'],
});

export const getCampaignLetter = endpoint({
  method: 'GET',
  path: `${path}/{id}/letter`,
  ...scope,
  throttle: 'read',
  summary: 'The letter as it would be sent, as HTML and as text; its links end nothing.',
  status: 200,
  params: byId,
  reply: One(Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() })),
});

export const listRefusedLetters = endpoint({
  method: 'GET',
  path: `${path}/{id}/refused-letters`,
  ...scope,
  throttle: 'read',
  summary:
    'Its letters that came to nothing, with what the server said, in the order they were written.',
  status: 200,
  params: byId,
  query: Strict(cursorQuery),
  reply: Cursor(RefusedLetter),
});

export const testCampaign = endpoint({
  method: 'POST',
  path: `${path}/{id}/test`,
  ...scope,
  throttle: 'letter',
  summary: 'Sends the letter to the admin who asks, and to nobody else.',
  status: 200,
  idempotent: 'where_sent',
  params: byId,
  reply: One(Type.Object({ recipient: Type.String() })),
  refusals: ['campaign_unready'],
});

export const getCampaignAudience = endpoint({
  method: 'GET',
  path: '/api/admin/campaign-audience',
  ...scope,
  throttle: 'read',
  summary: 'How many confirmed subscribers there are, by language, and how fast letters go.',
  status: 200,
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
  method: 'POST',
  path: `${path}/{id}/send`,
  ...scope,
  throttle: 'write',
  summary:
    'Sends a draft, now or at a time; `recipients` is the count that was agreed to, refused where there are more by now. To more than 100 people it needs a fresh confirmation.',
  status: 200,
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

export const campaignActs = ['unschedule', 'pause', 'resume', 'cancel'] as const;
export type CampaignAct = (typeof campaignActs)[number];

export const changeCampaign = endpoint({
  method: 'POST',
  path: `${path}/{id}/acts`,
  ...scope,
  throttle: 'write',
  summary: 'Takes a campaign off the schedule, pauses, resumes or cancels it.',
  status: 200,
  params: byId,
  body: Strict({ act: Type.Enum(campaignActs) }),
  reply: One(Campaign),
  refusals: ['campaign_elsewhere'],
});
