/** Settings as they were stored, read as today's schema would have them. Pure. */
import { isVisible } from '@cambist/contract/visible-text';
import type { SettingSlug, SettingValue } from '@cambist/contract/settings';
import { withWrittenAddresses } from './addresses.ts';
import { settingDefaults } from './defaults.ts';

/** A field that came with a later version of the schema is missing from older rows. */
export function withDefaults<S extends SettingSlug>(
  slug: S,
  value: Record<string, unknown> | undefined,
): SettingValue<S> {
  const whole = filled(settingDefaults[slug], value ?? {});
  const seen = slug === 'home-page' ? withoutUnseenLinks(whole as HomePage) : whole;
  return withWrittenAddresses(seen) as SettingValue<S>;
}

/**
 * As the site shows it. Words that a point needs could be empty once: half of one is shown to its editor
 * alone, who is asked for the other half.
 */
export function withoutHalves<V extends object>(slug: SettingSlug, value: V): V {
  return slug === 'home-page' ? (wholePoints(value as HomePage) as V) : value;
}

/** Of groups inside groups too; lists are whole as they are. */
function filled(defaults: object, value: Record<string, unknown>): Record<string, unknown> {
  const groups = Object.entries(defaults).flatMap(([key, inner]) => {
    const own = value[key];
    return isGroup(inner) && isGroup(own) ? [[key, filled(inner, own)] as const] : [];
  });
  return { ...defaults, ...value, ...Object.fromEntries(groups) };
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type HomePage = SettingValue<'home-page'>;

/** The words of a footer's link could be empty once: kept, it would be refused with all that is written beside it. */
function withoutUnseenLinks(stored: HomePage): HomePage {
  const value = blanksEmptied(stored) as HomePage;
  const columns = value.footer.columns.map((column) => ({
    ...column,
    links: column.links.filter(({ label }) => label),
  }));
  return { ...value, footer: { ...value.footer, columns } };
}

function wholePoints(home: HomePage): HomePage {
  const { stats, features, how_it_works, testimonials, faq } = home;
  return {
    ...home,
    stats: { ...stats, items: stats.items.filter((item) => item.value && item.label) },
    features: { ...features, items: features.items.filter(({ title, text }) => title || text) },
    how_it_works: {
      ...how_it_works,
      steps: how_it_works.steps.filter(({ title, text }) => title || text),
    },
    testimonials: { ...testimonials, items: testimonials.items.filter(({ quote }) => quote) },
    faq: { ...faq, items: faq.items.filter(({ question, answer }) => question && answer) },
  };
}

/** What nobody sees is empty: no heading is drawn of it. */
function blanksEmptied(value: unknown): unknown {
  if (typeof value === 'string') return isVisible(value) ? value : '';
  if (Array.isArray(value)) return value.map(blanksEmptied);
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, blanksEmptied(part)]));
}
