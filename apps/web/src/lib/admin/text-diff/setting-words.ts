/** In what words that stayed are set anew, as a sentence tells it. */
import type { SettingKind } from '@cambist/markup/readable';
import { m } from '#lib/paraglide/messages.js';

const kindWords: Readonly<Record<SettingKind, () => string>> = {
  signs: m.posts_diff_kind_signs,
  links: m.posts_diff_kind_links,
  underlining: m.posts_diff_kind_underlining,
  raised: m.posts_diff_kind_raised,
  marking: m.posts_diff_kind_marking,
  keys: m.posts_diff_kind_keys,
  spaces: m.posts_diff_kind_spaces,
  paragraphs: m.posts_diff_kind_paragraphs,
  quotations: m.posts_diff_kind_quotations,
  captions: m.posts_diff_kind_captions,
  terms: m.posts_diff_kind_terms,
  cells: m.posts_diff_kind_cells,
  lists: m.posts_diff_kind_lists,
  tables: m.posts_diff_kind_tables,
  pictures: m.posts_diff_kind_pictures,
  anchors: m.posts_diff_kind_anchors,
};

export function setWords(kinds: readonly SettingKind[]): string {
  if (kinds.length === 0) return m.posts_diff_set();
  return m.posts_diff_kinds({ kinds: kinds.map((kind) => kindWords[kind]()).join(', ') });
}
