/** Settings as they were stored, read as today's schema would have them. Pure. */
import { isSeen } from '@cambist/contract/seen-text';
import type { SettingSlug, SettingValue } from '@cambist/contract/settings';
import { withWrittenAddresses } from './addresses.ts';
import { settingDefaults } from './defaults.ts';

/** A field that came with a later version of the schema is missing from older rows. */
export function withDefaults<S extends SettingSlug>(
  slug: S,
  value: Record<string, unknown> | undefined,
): SettingValue<S> {
  const whole = filled(settingDefaults[slug], value ?? {});
  const shown = slug === 'home-page' ? withoutUnseenLinks(whole as HomePage) : whole;
  return withWrittenAddresses(shown) as SettingValue<S>;
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
function withoutUnseenLinks(value: HomePage): HomePage {
  const columns = value.footer.columns.map((column) => ({
    ...column,
    links: column.links.filter(({ label }) => isSeen(label)),
  }));
  return { ...value, footer: { ...value.footer, columns } };
}
