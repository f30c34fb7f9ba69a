/** What the audit log records of a change of settings: which parts, and of some both values. Pure. */
import type { SettingSlug } from '@cambist/contract/settings';
import { canonical } from '#kernel/canonical.ts';

/** Groups that guard money and the desk. */
const withFigures: ReadonlySet<SettingSlug> = new Set(['rate-api', 'security'] as const);

export function auditedChanges(
  slug: SettingSlug,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
) {
  const changed = changedParts(before, after);
  const of = (value: Record<string, unknown>) =>
    Object.fromEntries(changed.map((part) => [part, value[part]]));
  return { changed, ...(withFigures.has(slug) && { from: of(before), to: of(after) }) };
}

function changedParts(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([part, value]) => canonical(old.get(part)) !== canonical(value))
    .map(([part]) => part);
}
