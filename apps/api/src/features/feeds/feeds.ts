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
} from '@cambist/contract/feeds';
import { fillPath } from '@cambist/contract/endpoint';
import { read, settingsName } from '#features/content/settings/settings.ts';
import { POLICY_NAMES, readPolicy } from '#features/pairs/policy.ts';
import { listForMonitors } from '#features/pairs/pairs.ts';
import type { Deps } from '#platform/deps.ts';
import { entityTag } from '#platform/http/conditional.ts';
import { formats } from './formats.ts';
import { listItems, type Gap, type Item } from './items.ts';

const CACHE = {
  maxAgeSeconds: 10,
  follows: ['feeds', settingsName('feeds'), settingsName('desk'), ...POLICY_NAMES],
};

interface FeedFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
}

interface Reading {
  readonly settings: FeedSettings;
  readonly items: readonly Item[];
  readonly gaps: readonly Gap[];
  /** Those that were asked for. */
  readonly files: Map<FeedFileName, FeedFile>;
}

type FeedDeps = Pick<Deps, 'db' | 'published'>;

/** Empty and valid where it is switched off. */
export async function feedFile(deps: FeedDeps, name: FeedFileName): Promise<FeedFile> {
  const { settings, items, files } = await reading(deps);
  const file = files.get(name) ?? writeFile(name, isFilled(settings, name) ? items : []);
  files.set(name, file);
  return file;
}

export async function overview(deps: FeedDeps & Pick<Deps, 'config'>): Promise<FeedOverview> {
  const { settings, items, gaps } = await reading(deps);
  return {
    enabled: settings.enabled,
    keyed: settings.key !== '',
    files: feedFiles.map((name) => ({
      name,
      url: urlOf(deps.config.appUrl, name, settings.key),
      items: isFilled(settings, name) ? items.length : 0,
    })),
    items: items.map((item) => ({
      pair: item.pair,
      from: item.from,
      to: item.to,
      city: item.city,
      in: item.in,
      out: item.out,
      converter: item.converter,
      below_percent: item.belowPercent,
      reserve: item.reserve,
      min: item.sendMin,
      max: item.sendMax,
      flags: [...item.flags],
    })),
    left_out: [...gaps],
  };
}

function reading(deps: FeedDeps): Promise<Reading> {
  return deps.published.cached('feeds', () => readDesk(deps), CACHE);
}

async function readDesk(deps: FeedDeps): Promise<Reading> {
  const [own, { maintenance }] = await Promise.all([read(deps, 'feeds'), read(deps, 'general')]);
  // During maintenance customers cannot exchange at these rates.
  const settings = maintenance.enabled ? { ...own, enabled: false } : own;
  const policy = await readPolicy(deps);
  const pairs = await listForMonitors(deps.db);
  const { reserve_display_cap: caps } = await read(deps, 'desk');
  return { settings, ...listItems(pairs, settings, policy, caps), files: new Map() };
}

function isFilled({ enabled, files }: FeedSettings, name: FeedFileName): boolean {
  return enabled && files.includes(name);
}

function writeFile(name: FeedFileName, items: readonly Item[]): FeedFile {
  const { contentType, write } = formats[name];
  const body = Buffer.from(write(items));
  return { contentType, body, etag: entityTag(body) };
}

function urlOf(appUrl: string, file: FeedFileName, key: string): string {
  const url = new URL(fillPath(exportFeed.path, { file }), appUrl);
  if (key !== '') url.searchParams.set('key', key);
  return url.href;
}
