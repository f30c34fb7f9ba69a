/**
 * Feeds: one reading of the desk, written as every file that monitors ask for.
 * It is kept in memory until a pair, a currency or a rate changes, and for ten
 * seconds at most, within which a reserve moves or a pair closes; whatever is
 * asked for meanwhile costs no query. A file is written whole or not at all.
 */
import {
  exportFeed,
  feedFiles,
  type FeedFileName,
  type FeedFinding,
  type FeedOverview,
  type FeedSettings,
} from '@cambist/contract/feeds';
import { fillPath } from '@cambist/contract/endpoint';
import { SECOND } from '#kernel/clock.ts';
import { entityTag } from '#platform/http/conditional.ts';
import type { Deps } from '#platform/deps.ts';
import {
  listForMonitors,
  readPolicy,
  type ListedPair,
  type RatePolicy,
} from '#features/pairs/pairs.ts';
import { read } from '#features/content/settings/settings.ts';
import { formats } from './formats.ts';
import { listItems, type Gap, type Item } from './items.ts';
import { lint, lintSettings } from './lint.ts';

const MAX_AGE_SECONDS = 10;

export interface FeedFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
  /** Since when this process knows its content as it is. */
  readonly modifiedAt: Date;
}

/** Everything that was made of one reading. */
interface Reading {
  readonly pairs: readonly ListedPair[];
  readonly settings: FeedSettings;
  readonly policy: RatePolicy;
  readonly at: Date;
  readonly items: readonly Item[];
  readonly gaps: readonly Gap[];
  readonly findings: readonly FeedFinding[];
  readonly files: Map<FeedFileName, FeedFile>;
}

export interface Feeds {
  settings(): Promise<FeedSettings>;
  /** Empty and valid where it is switched off. */
  file(name: FeedFileName): Promise<FeedFile>;
  overview(): Promise<FeedOverview>;
}

type FeedDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'published'>;

export function openFeeds(deps: FeedDeps): Feeds {
  const remember = openMemory();
  let last: Reading | null = null;
  let closed: { readonly of: FeedSettings; readonly settings: FeedSettings } | null = null;

  /** While the site is closed for maintenance every file is empty: nobody can exchange at its rates. */
  async function settings(): Promise<FeedSettings> {
    const [own, { maintenance }] = await Promise.all([read(deps, 'feeds'), read(deps, 'general')]);
    if (!maintenance.enabled) return own;
    if (closed?.of !== own) closed = { of: own, settings: { ...own, enabled: false } };
    return closed.settings;
  }

  /** What was read is shared with nobody else, so the same rows are the same reading. */
  async function current(asked: FeedSettings): Promise<Reading> {
    const policy = await readPolicy(deps);
    const pairs = await deps.published.kept('feeds', () => listForMonitors(deps.db), {
      maxAgeSeconds: MAX_AGE_SECONDS,
    });
    if (last?.pairs === pairs && last.settings === asked && samePolicy(last.policy, policy))
      return last;
    last = readingOf(pairs, asked, policy, pairs[0]?.read_at ?? deps.clock());
    return last;
  }

  function written(name: FeedFileName, reading: Reading): FeedFile {
    const known = reading.files.get(name);
    if (known) return known;
    const file = remember(name, reading.items, reading.settings.costs, reading.at);
    reading.files.set(name, file);
    return file;
  }

  async function fileOf(name: FeedFileName, asked: FeedSettings): Promise<FeedFile> {
    return isOn(asked, name)
      ? written(name, await current(asked))
      : remember(name, [], asked.costs, deps.clock());
  }

  return {
    settings,
    file: async (name) => fileOf(name, await settings()),

    async overview() {
      const asked = await settings();
      const reading = await current(asked);
      const files = await Promise.all(
        feedFiles.map(async (name) => {
          const { body, contentType, etag, modifiedAt } = await fileOf(name, asked);
          return {
            name,
            url: addressOf(deps.config.appUrl, name, asked.key),
            content_type: contentType,
            items: isOn(asked, name) ? reading.items.length : 0,
            bytes: body.length,
            etag,
            modified_at: modifiedAt.toISOString(),
          };
        }),
      );
      return { enabled: asked.enabled, keyed: asked.key !== '', files, ...told(reading) };
    },
  };
}

function isOn({ enabled, files }: FeedSettings, name: FeedFileName): boolean {
  return enabled && files.includes(name);
}

function readingOf(
  pairs: readonly ListedPair[],
  settings: FeedSettings,
  policy: RatePolicy,
  at: Date,
): Reading {
  const { items, gaps } = listItems(pairs, settings, policy);
  const { passed, findings } = lint(items);
  const refused = findings
    .filter(({ severity, pair }) => severity === 'error' && pair !== null)
    .map(({ pair, message }) => ({ pair: pair ?? '', reason: 'rejected' as const, message }));
  return {
    pairs,
    settings,
    policy,
    at,
    items: passed,
    gaps: [...gaps, ...refused],
    findings: [...findings, ...lintSettings(settings, pairs)],
    files: new Map(),
  };
}

/**
 * Writes files, and knows since when each is what it is. Two contents never have
 * the same second, or who asks by the second would take one for the other.
 */
function openMemory() {
  const known = new Map<FeedFileName, FeedFile>();
  return (
    name: FeedFileName,
    items: readonly Item[],
    costs: FeedSettings['costs'],
    at: Date,
  ): FeedFile => {
    const { contentType, write } = formats[name];
    const body = Buffer.from(write(items, costs));
    const etag = entityTag(body);
    const before = known.get(name);
    if (before?.etag === etag) return before;
    const next = before ? before.modifiedAt.getTime() + SECOND : 0;
    const modifiedAt = new Date(Math.max(at.getTime(), next));
    const file = { contentType, body, etag, modifiedAt };
    known.set(name, file);
    return file;
  };
}

function samePolicy(one: RatePolicy, other: RatePolicy): boolean {
  return (
    one.delayedMinutes === other.delayedMinutes &&
    one.staleMinutes === other.staleMinutes &&
    one.delayedLockMinutes === other.delayedLockMinutes &&
    one.timeZone === other.timeZone
  );
}

function addressOf(appUrl: string, file: FeedFileName, key: string): string {
  const url = new URL(fillPath(exportFeed.path, { file }), appUrl);
  if (key !== '') url.searchParams.set('key', key);
  return url.href;
}

/** A pair may be left out for several reasons. */
export function byPair(gaps: readonly Gap[]): FeedOverview['left_out'] {
  return [...Map.groupBy(gaps, ({ pair }) => pair)].map(([pair, found]) => ({
    pair,
    reasons: found.map(({ reason, message }) => ({ reason, message })),
  }));
}

function told({ items, gaps, findings, at }: Reading) {
  return {
    items: items.map((item) => ({
      pair: item.pair,
      from: item.from,
      to: item.to,
      city: item.city,
      in: item.classic.in,
      out: item.classic.out,
      converter: item.converter,
      below_percent: item.belowPercent,
      reserve: item.reserve,
      min: item.sendMin,
      max: item.sendMax,
      flags: [...item.flags],
    })),
    left_out: byPair(gaps),
    findings: findings.map((finding) => ({ ...finding })),
    read_at: at.toISOString(),
  };
}
