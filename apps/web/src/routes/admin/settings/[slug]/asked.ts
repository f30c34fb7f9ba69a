/** What is asked before a change of the whole site is saved or restored. */
import type { SettingSlug } from '@cambist/contract/settings';
import { m } from '#lib/paraglide/messages.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

interface Asked {
  /** The switch that is asked about when it is turned on. */
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

/** What is asked before `after` replaces `before`; null where nothing is. */
export function questionOf(slug: string, before: object, after: object): Question | null {
  const asked = switches[slug as SettingSlug];
  if (!asked || !isOn(after, asked.path) || isOn(before, asked.path)) return null;
  return asked.question();
}

function isOn(value: unknown, path: string): boolean {
  const held = path
    .split('.')
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  return held === true;
}
