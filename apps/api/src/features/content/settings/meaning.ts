/** What a schema cannot say about settings: whether a zone exists, an address can be one. */
import { isIP } from 'node:net';
import { theField } from '@cambist/contract/field-name';
import { isVisible } from '@cambist/contract/visible-text';
import { writtenAddress } from '@cambist/html/places';
import { settingSchemas, type SettingSlug, type SettingValue } from '@cambist/contract/settings';
import { invalid } from '#kernel/refusal.ts';
import { MAX_ERRORS } from '#platform/http/compilers.ts';
import { doubtfulMessage, refuseFields, shortened } from '#platform/http/invalid-fields.ts';
import { doubtfulTexts } from '#platform/http/strict-json.ts';
import { assertFits } from '#platform/http/value-check.ts';
import { isLoopbackHost } from '#app/mail-server.ts';

type Faults = Record<string, string>;

/** Of a value that fits its schema. @throws {Refusal} 422 by field. */
export function checkMeaning(slug: SettingSlug, value: Readonly<Record<string, unknown>>): void {
  const wrong: Faults = {};
  if (slug === 'general') {
    if (!isZone(String(value['time_zone']))) {
      wrong['time_zone'] = 'The time zone must be one of the IANA database, such as Europe/Paris.';
    }
    if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(String(value['contact_email']))) {
      wrong['contact_email'] = 'The contact email must be a valid email address.';
    }
  }
  if (slug === 'seo') {
    if (String(value['title_template']).split('%s').length !== 2) {
      wrong['title_template'] =
        'The title template must contain %s once, where the page’s own title goes.';
    }
    if (!/^(@\w{1,15})?$/.test(String(value['twitter_site']))) {
      wrong['twitter_site'] =
        'The twitter site must be @ and 1 to 15 letters of A to Z, digits or underscores.';
    }
  }
  if (slug === 'mail' && !isHost(String(value['host']))) {
    wrong['host'] =
      'The server name must be a name such as smtp.example.com, or an IP address, one of version 6 without brackets. Its port has a field of its own.';
  }
  if (slug === 'mail' && sendsInTheClear(value as SettingValue<'mail'>))
    wrong['security'] = 'A password is only sent encrypted: choose TLS or STARTTLS.';
  if (slug === 'home-page') checkHomePage(value as SettingValue<'home-page'>, wrong);
  if (slug === 'rate-api') checkRateApi(value as SettingValue<'rate-api'>, wrong);
  if (slug === 'desk') checkDesk(value as SettingValue<'desk'>, wrong);
  if (slug === 'feeds') checkFeeds(value as SettingValue<'feeds'>, wrong);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

/** None is one too. */
function isHost(host: string): boolean {
  const label = '[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?';
  // What is of figures alone is looked up by nobody.
  if (/^[\d.]+$/.test(host) || host.includes(':')) return isIP(host) !== 0;
  return new RegExp(`^(${label}(\\.${label})*\\.?)?$`).test(host);
}

/** Whether a password would go over a network as it is; without a server it goes nowhere. */
function sendsInTheClear({ host, security, username }: SettingValue<'mail'>): boolean {
  return security === 'none' && username !== '' && host !== '' && !isLoopbackHost(host);
}

/** A sign or a number does not stand alone. */
function checkHomePage({ features, how_it_works }: SettingValue<'home-page'>, wrong: Faults): void {
  const lists = { 'features.items': features.items, 'how_it_works.steps': how_it_works.steps };
  for (const [list, points] of Object.entries(lists)) {
    for (const [at, { title, text }] of points.entries()) {
      const field = `${list}.${at}.text`;
      if (!isVisible(title) && !isVisible(text))
        wrong[field] = `The ${theField(field)} is required without a heading.`;
    }
  }
}

function checkFeeds(value: SettingValue<'feeds'>, wrong: Faults): void {
  if (new Set(value.pair_flags.map(({ pair }) => pair)).size < value.pair_flags.length)
    wrong['pair_flags'] = 'Each pair can stand in the list once.';
  if (new Set(value.cities.map(({ currency }) => currency)).size < value.cities.length)
    wrong['cities'] = 'Each currency can stand in the list once.';
}

function checkDesk(value: SettingValue<'desk'>, wrong: Faults): void {
  for (const [field, list] of Object.entries(value)) {
    if (!Array.isArray(list)) continue;
    if (new Set(list.map(({ currency }) => currency)).size < list.length)
      wrong[field] = 'Each currency can stand in the list once.';
  }
}

function checkRateApi(value: SettingValue<'rate-api'>, wrong: Faults): void {
  const names = value.providers.map(({ name }) => name);
  if (new Set(names).size < names.length)
    wrong['providers'] = 'Each provider can stand in the list once.';
  if (value.stale_minutes <= value.delayed_minutes)
    wrong['stale_minutes'] = 'A rate is stale later than it is delayed.';
}

function isZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Offsets such as +02:00 are accepted too, but do not follow summer time.
    return /^[A-Za-z]/.test(timeZone);
  } catch {
    return false;
  }
}

/** @throws {Refusal} 422 by field. */
export function check(slug: SettingSlug, value: Record<string, unknown>): void {
  const doubtful = doubtfulTexts(value, MAX_ERRORS).map(shortened);
  if (doubtful.length > 0) {
    throw refuseFields(doubtful.map((field) => [field, doubtfulMessage(field)]));
  }
  assertFits(settingSchemas[slug], value);
  checkMeaning(slug, value);
}

/** Of addresses, which are stored as they may stand in a page: with `%7C` for `|`. */
const addressFields: ReadonlySet<string> = new Set(['href', 'og_image', 'portrait']);

/** The same value with its addresses encoded, those that were stored before among them. */
export function withWrittenAddresses<V>(value: V): V {
  return written('', value) as V;
}

function written(key: string, value: unknown): unknown {
  if (typeof value === 'string') return addressFields.has(key) ? writtenAddress(value) : value;
  if (Array.isArray(value)) return value.map((each) => written('', each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, written(name, part)]),
  );
}
