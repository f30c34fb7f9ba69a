/** What is asked before it is saved, or restored: what changes the whole site for everybody. */
import type { SettingsEntry, SettingSlug } from '@cambist/contract/settings';
import type { SettingsChange } from '@cambist/contract/settings-history';
import { m } from '#lib/paraglide/messages.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

interface Asked {
  /** The switch that is asked about where it is put on. */
  readonly path: string;
  readonly question: () => Question;
}

const switches: { readonly [S in SettingSlug]?: Asked } = {
  general: {
    path: 'maintenance.enabled',
    question: () => ({
      title: m.settings_close_title(),
      text: m.settings_close_text(),
      confirm: m.settings_close_confirm(),
    }),
  },
  'sitemap-robots': {
    path: 'noindex',
    question: () => ({
      title: m.settings_noindex_title(),
      text: m.settings_noindex_text(),
      confirm: m.settings_noindex_confirm(),
    }),
  },
};

function switchOf(slug: string): Asked | undefined {
  return switches[slug as SettingSlug];
}

/** What saving asks; null where nothing is asked. */
export function askedToSave(slug: string, draft: object, began: object): Question | null {
  const asked = switchOf(slug);
  if (!asked || !isOn(draft, asked.path) || isOn(began, asked.path)) return null;
  return asked.question();
}

/** What restoring a version asks. `changes` are all that came after it, the latest first. */
export function askedToRestore(
  { slug, value }: Pick<SettingsEntry, 'slug' | 'value'>,
  changes: readonly Pick<SettingsChange, 'version' | 'changes'>[],
  number: number,
): Question | null {
  const asked = switchOf(slug);
  if (!asked || isOn(value, asked.path)) return null;
  const found = changes
    .filter(({ version }) => version !== null && version > number)
    .flatMap((change) => change.changes.filter(({ path }) => path === asked.path));
  // What the version held is what the first to change it found there.
  return found.at(-1)?.before === true ? asked.question() : null;
}

/** Whether these changes, the latest first, tell all that came after that version. */
export function reaches(
  changes: readonly Pick<SettingsChange, 'version'>[],
  number: number,
): boolean {
  return changes.some(({ version }) => version !== null && version <= number + 1);
}

/** Whether restoring a version asks, as far as these changes tell: where they don't reach it, it may. */
export function mayAskToRestore(
  entry: Pick<SettingsEntry, 'slug' | 'value'>,
  changes: readonly Pick<SettingsChange, 'version' | 'changes'>[],
  number: number,
): boolean {
  if (reaches(changes, number)) return askedToRestore(entry, changes, number) !== null;
  const asked = switchOf(entry.slug);
  return asked !== undefined && !isOn(entry.value, asked.path);
}

function isOn(value: unknown, path: string): boolean {
  const held = path
    .split('.')
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  return held === true;
}
