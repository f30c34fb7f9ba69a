/** Settings as they were stored, read as today's schema has them. Pure. */
import type { SettingSlug, SettingValue } from '@cambist/contract/settings';
import { settingDefaults } from './defaults.ts';

/** A field that came with a later version of the schema is missing from older rows. */
export function withDefaults<S extends SettingSlug>(
  slug: S,
  value: Record<string, unknown> | undefined,
): SettingValue<S> {
  return filled(settingDefaults[slug], value ?? {}) as SettingValue<S>;
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
