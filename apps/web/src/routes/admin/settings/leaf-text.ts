/** A value of the settings in the words of its form, for the history. Pure. */
import type { Leaf } from '@cambist/contract/settings-history';
import { wordsAt, type Words } from '#lib/admin/schema-form/words.ts';
import { m } from '#lib/paraglide/messages.js';

/** Empty where there is nothing. */
export function leafText(words: Words, path: string, leaf: Leaf): string {
  if (leaf === null) return '';
  if (typeof leaf === 'boolean') return leaf ? m.settings_history_on() : m.settings_history_off();
  const choices = wordsAt(words, path)?.choices;
  const named = (value: string) => choices?.[value]?.() ?? value;
  return Array.isArray(leaf) ? leaf.map(named).join('\n') : named(String(leaf));
}
