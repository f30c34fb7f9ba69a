/** Feeds: the desk's rates as files for the monitors that compare desks. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { One, Slug, Strict, Time } from './wire.ts';

export const feedFiles = [
  'bestchange.xml',
  'bestchange-1.1.xml',
  'rates-1.3.json',
  'rates.txt',
  'rates.csv',
] as const;
export type FeedFileName = (typeof feedFiles)[number];

/**
 * What monitors tell people of a direction. `manual`: an operator works on it; `reg`: an account is
 * needed; `verifying`, `cardverify`: papers or the card are looked at; `juridical`: paid by a
 * company; `card2card`; `auth`: the payment is confirmed by the customer's bank.
 */
export const feedFlags = [
  'manual',
  'reg',
  'verifying',
  'cardverify',
  'juridical',
  'card2card',
  'auth',
] as const;
export type FeedFlag = (typeof feedFlags)[number];

const Flags = Type.Array(Type.Enum(feedFlags), {
  maxItems: feedFlags.length,
  uniqueItems: true,
});

export const FeedSettings = Strict({
  /** Off, every file is empty and valid. */
  enabled: Type.Boolean(),
  /** Those that have anything in them. */
  files: Type.Array(Type.Enum(feedFiles), { maxItems: feedFiles.length, uniqueItems: true }),
  /** Where it isn't empty a file is only given to who adds `?key=`. */
  key: Type.String({ pattern: '^([A-Za-z0-9_-]{16,64})?$' }),
  /**
   * Where `bestchange.xml` and `rates.csv` have the costs: `inside` the rate, as they weigh on the
   * least amount, or in `tags` beside the rate that the converter shows.
   */
  costs: Type.Enum(['inside', 'tags'] as const),
  /** Of every direction that has none of its own. */
  flags: Flags,
  pair_flags: Type.Array(Strict({ pair: Slug, flags: Flags }), { maxItems: 1000 }),
  /** Pairs that no monitor is told of. */
  excluded: Type.Array(Slug, { maxItems: 1000, uniqueItems: true }),
  /** Where a currency of the kind `cash` changes hands, in the monitors' codes. */
  cities: Type.Array(
    Strict({
      currency: Slug,
      cities: Type.Array(Type.String({ pattern: '^[A-Z0-9]{2,10}$' }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
      }),
    }),
    { maxItems: 200 },
  ),
});
export type FeedSettings = Static<typeof FeedSettings>;

/** What would make a monitor refuse a direction, or the whole file. */
export const feedFaults = [
  'code_pattern',
  'code_doubled',
  'code_same',
  'direction_doubled',
  'city_needless',
  'name_unknown',
] as const;
export type FeedFault = (typeof feedFaults)[number];

/** Why a pair is in no file. The first three are states of the pair. */
export const feedGaps = [
  'paused',
  'closed',
  'stale',
  'excluded',
  'no_amount',
  'no_reserve',
  'no_city',
  'rejected',
] as const;
export type FeedGap = (typeof feedGaps)[number];

export const FeedFinding = Type.Object({
  /** An `error` keeps its direction out of the files. */
  severity: Type.Enum(['error', 'warning'] as const),
  fault: Type.Enum(feedFaults),
  pair: Type.Union([Slug, Type.Null()]),
  message: Type.String(),
});
export type FeedFinding = Static<typeof FeedFinding>;

export const FeedOverview = Type.Object({
  enabled: Type.Boolean(),
  /** Whether the addresses carry a key. */
  keyed: Type.Boolean(),
  files: Type.Array(
    Type.Object({
      name: Type.Enum(feedFiles),
      url: Type.String(),
      content_type: Type.String(),
      /** In this file now: 0 where it is switched off. */
      items: Type.Integer(),
      bytes: Type.Integer(),
      etag: Type.String(),
      modified_at: Time,
    }),
  ),
  /** What stands in the files that are switched on, or would if the feeds were. */
  items: Type.Array(
    Type.Object({
      pair: Slug,
      from: Type.String(),
      to: Type.String(),
      city: Type.Union([Type.String(), Type.Null()]),
      in: Type.String(),
      out: Type.String(),
      /** The rate that the converter shows, written the same way: before fees, roundings and other tiers. */
      converter: Type.Object({ in: Type.String(), out: Type.String() }),
      /** By how many percent the published rate is below that, rounded up. */
      below_percent: Type.String(),
      reserve: Type.String(),
      min: Type.String(),
      max: Type.String(),
      flags: Type.Array(Type.Enum(feedFlags)),
    }),
  ),
  /** Each pair once, with everything that keeps it out. */
  left_out: Type.Array(
    Type.Object({
      pair: Slug,
      reasons: Type.Array(Type.Object({ reason: Type.Enum(feedGaps), message: Type.String() }), {
        minItems: 1,
      }),
    }),
  ),
  findings: Type.Array(FeedFinding),
  /** When the rates, limits and reserves were read. */
  read_at: Time,
});
export type FeedOverview = Static<typeof FeedOverview>;

/** Not JSON unless the file's name says so. Whatever else stands in the query is ignored. */
export const exportFeed = endpoint({
  method: 'GET',
  path: '/api/public/export/{file}',
  scope: 'public',
  throttle: 'read',
  summary: 'The rates as a file for monitors, with ETag and Last-Modified.',
  status: 200,
  params: Strict({ file: Type.Enum(feedFiles) }),
  query: Type.Object({ key: Type.Optional(Type.String()) }),
});

export const feedOverview = endpoint({
  method: 'GET',
  path: '/api/admin/feeds',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'The files for monitors: addresses, what is in them, what is left out and why.',
  status: 200,
  reply: One(FeedOverview),
});
