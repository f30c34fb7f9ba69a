/** Feeds: the desk's rates as files for the monitors that compare desks. */
import { Type, type Static } from 'typebox';
import { adminReads, endpoint, publicReads } from './endpoint.ts';
import { One, Slug, Strict } from './wire.ts';

export const feedFiles = [
  'bestchange.xml',
  'bestchange-1.1.xml',
  'rates-1.3.json',
  'rates.txt',
] as const;
export type FeedFileName = (typeof feedFiles)[number];

/**
 * What monitors show of a direction. `manual`: an operator processes it; `reg`: an account is
 * needed; `verifying`, `cardverify`: documents or the card are checked; `juridical`: paid by a
 * company; `card2card`; `auth`: the customer's bank confirms the payment.
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
  /** Switched off, every file is empty and valid. */
  enabled: Type.Boolean(),
  /** The filled files; the others are empty. */
  files: Type.Array(Type.Enum(feedFiles), { maxItems: feedFiles.length, uniqueItems: true }),
  /** If it is not empty, requests need `?key=`. */
  key: Type.String({ pattern: '^([A-Za-z0-9_-]{16,64})?$' }),
  /** Of every direction without flags of its own. */
  flags: Flags,
  pair_flags: Type.Array(Strict({ pair: Slug, flags: Flags }), { maxItems: 1000 }),
  /** Pairs that are in no file. */
  excluded: Type.Array(Slug, { maxItems: 1000, uniqueItems: true }),
  /** The cities of cash currencies, by the monitors' codes. */
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

/** Why a pair is in no file. The first three are states of the pair. */
export const feedGaps = [
  'paused',
  'closed',
  'stale',
  'excluded',
  'no_amount',
  'no_reserve',
  'no_city',
] as const;
export type FeedGap = (typeof feedGaps)[number];

export const FeedOverview = Type.Object({
  enabled: Type.Boolean(),
  /** Whether the addresses carry a key. */
  keyed: Type.Boolean(),
  files: Type.Array(
    Type.Object({
      name: Type.Enum(feedFiles),
      url: Type.String(),
      items: Type.Integer(),
    }),
  ),
  /** The items of the filled files, also while the feeds are switched off. */
  items: Type.Array(
    Type.Object({
      pair: Slug,
      from: Type.String(),
      to: Type.String(),
      city: Type.Union([Type.String(), Type.Null()]),
      in: Type.String(),
      out: Type.String(),
      /** The converter's rate, before fees, roundings and other tiers. */
      converter: Type.Object({ in: Type.String(), out: Type.String() }),
      /** The percentage by which the published rate is below it, rounded up. */
      below_percent: Type.String(),
      reserve: Type.String(),
      min: Type.String(),
      max: Type.String(),
      flags: Type.Array(Type.Enum(feedFlags)),
    }),
  ),
  left_out: Type.Array(
    Type.Object({ pair: Slug, reason: Type.Enum(feedGaps), message: Type.String() }),
  ),
});
export type FeedOverview = Static<typeof FeedOverview>;

/** Other query parameters are ignored. */
export const exportFeed = endpoint({
  ...publicReads,
  path: '/api/public/export/{file}',
  summary: 'The rates as a file for monitors, with an ETag.',
  params: Strict({ file: Type.Enum(feedFiles) }),
  query: Type.Object({ key: Type.Optional(Type.String()) }),
});

export const feedOverview = endpoint({
  ...adminReads('money'),
  path: '/api/admin/feeds',
  summary: 'The files for monitors: addresses, items, and the pairs left out with the reason.',
  reply: One(FeedOverview),
});
