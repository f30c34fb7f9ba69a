/**
 * Feeds: one reading of the desk, written as every file that monitors ask for. The reading stays in
 * memory until a pair, a currency, a rate or the settings change, and for ten seconds at most, since
 * reserves and working hours change it too.
 */
import {
  exportFeed,
  feedFiles,
  type FeedFileName,
  type FeedOverview,
  type FeedSettings,
  type FeedWarning,
} from '@cambist/contract/feeds';
import { fillPath } from '@cambist/contract/endpoint';
import { read, settingsName } from '#features/content/settings/settings.ts';
import { listForMonitors, POLICY_NAMES, readPolicy } from '#features/pairs/pairs.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { entityTag } from '#platform/http/conditional.ts';
import { formats } from './formats.ts';
import { listItems, type Gap, type Item } from './items.ts';
import { settingsWarnings } from './settings-warnings.ts';

const CACHE = {
  maxAgeSeconds: 10,
  follows: ['feeds', settingsName('feeds'), ...POLICY_NAMES],
};
const NO_ITEMS: readonly Item[] = [];

export interface FeedFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
  /** When this process first wrote this content. */
  readonly modifiedAt: Date;
}

interface Reading {
  readonly settings: FeedSettings;
  readonly readAt: Date;
  readonly items: readonly Item[];
  readonly gaps: readonly Gap[];
  readonly warnings: readonly FeedWarning[];
}

export interface Feeds {
  /** Empty and valid where it is switched off. */
  file(name: FeedFileName): Promise<FeedFile>;
  overview(): Promise<FeedOverview>;
}

type FeedDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'published'>;

interface WrittenFile {
  readonly items: readonly Item[];
  readonly costs: FeedSettings['costs'];
  readonly file: FeedFile;
}

export function openFeeds(deps: FeedDeps): Feeds {
  const written = new Map<FeedFileName, WrittenFile>();
  const reading = () => deps.published.cached('feeds', () => readDesk(deps), CACHE);

  function fileOf(name: FeedFileName, { settings, items: all }: Reading): FeedFile {
    const items = isFilled(settings, name) ? all : NO_ITEMS;
    const { costs } = settings;
    const last = written.get(name);
    if (last?.items === items && last.costs === costs) return last.file;
    const file = writeFile(name, items, costs, { last: last?.file, now: deps.clock() });
    written.set(name, { items, costs, file });
    return file;
  }

  return {
    file: async (name) => fileOf(name, await reading()),

    async overview() {
      const current = await reading();
      const { settings } = current;
      const files = feedFiles.map((name) => {
        const { body, contentType, etag, modifiedAt } = fileOf(name, current);
        return {
          name,
          url: urlOf(deps.config.appUrl, name, settings.key),
          content_type: contentType,
          items: isFilled(settings, name) ? current.items.length : 0,
          bytes: body.length,
          etag,
          modified_at: modifiedAt.toISOString(),
        };
      });
      return {
        enabled: settings.enabled,
        keyed: settings.key !== '',
        files,
        ...readingView(current),
      };
    },
  };
}

async function readDesk(deps: FeedDeps): Promise<Reading> {
  const [own, { maintenance }] = await Promise.all([read(deps, 'feeds'), read(deps, 'general')]);
  // During maintenance customers cannot exchange at these rates.
  const settings = maintenance.enabled ? { ...own, enabled: false } : own;
  const policy = await readPolicy(deps);
  const pairs = await listForMonitors(deps.db);
  return {
    settings,
    readAt: pairs[0]?.read_at ?? deps.clock(),
    ...listItems(pairs, settings, policy),
    warnings: settingsWarnings(settings, pairs),
  };
}

function isFilled({ enabled, files }: FeedSettings, name: FeedFileName): boolean {
  return enabled && files.includes(name);
}

function writeFile(
  name: FeedFileName,
  items: readonly Item[],
  costs: FeedSettings['costs'],
  { last, now }: { readonly last: FeedFile | undefined; readonly now: Date },
): FeedFile {
  const { contentType, write } = formats[name];
  const body = Buffer.from(write(items, costs));
  const etag = entityTag(body);
  if (last?.etag === etag) return last;
  // Two contents never share a second, since If-Modified-Since could not tell them apart.
  const next = last ? last.modifiedAt.getTime() + SECOND : 0;
  return { contentType, body, etag, modifiedAt: new Date(Math.max(now.getTime(), next)) };
}

function urlOf(appUrl: string, file: FeedFileName, key: string): string {
  const url = new URL(fillPath(exportFeed.path, { file }), appUrl);
  if (key !== '') url.searchParams.set('key', key);
  return url.href;
}

function readingView({ items, gaps, warnings, readAt }: Reading) {
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
    left_out: [...gaps],
    warnings: [...warnings],
    read_at: readAt.toISOString(),
  };
}
