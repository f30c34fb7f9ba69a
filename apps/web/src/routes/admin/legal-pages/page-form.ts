/** A legal page's content as its form has it: the day is a line of text there. Pure. */
import type { LegalPageContent } from '@cambist/contract/legal-page-writing';
import { textWithAddresses } from '@cambist/html/text';
import { fieldDiffs, type FieldDiff } from '#lib/console/revisions/text-diff.ts';
import { dayWords } from '#lib/format/day-words.ts';
import { m } from '#lib/paraglide/messages.js';

export interface PageForm extends Omit<LegalPageContent, 'effective_on'> {
  /** `YYYY-MM-DD`; '' for the day of publication. */
  effective_on: string;
}

export function formOf(content: LegalPageContent): PageForm {
  return { ...content, effective_on: content.effective_on ?? '' };
}

export function contentOf(form: PageForm): LegalPageContent {
  return { ...form, effective_on: form.effective_on === '' ? null : form.effective_on };
}

const fields = ['title', 'summary', 'body', 'change', 'effective_on'] as const;

/** The unsaved form of an earlier visit; fields that it lacks are as they are saved. */
export function restoredForm(saved: PageForm, copy: unknown): PageForm {
  const typed = Object.entries(Object(copy) as object).filter(
    ([name, line]) => Object.hasOwn(saved, name) && typeof line === 'string',
  );
  return { ...saved, ...Object.fromEntries(typed) };
}

export function pageLabels(): Record<keyof PageForm, string> {
  return {
    title: m.posts_title_field(),
    summary: m.legal_admin_summary(),
    body: m.ui_text(),
    change: m.legal_admin_change(),
    effective_on: m.legal_admin_effective(),
  };
}

type Diff = FieldDiff<keyof LegalPageContent>[];

/** What differs from a published version for the public, without the note on what changes. */
export function pageDiff(version: LegalPageContent, draft: LegalPageContent): Diff {
  const effective_on = draft.effective_on ?? version.effective_on;
  return draftDiff(version, { ...draft, change: version.change, effective_on });
}

/** What differs between two working copies. */
export function draftDiff(before: LegalPageContent, after: LegalPageContent): Diff {
  return fieldDiffs(fields, texts(before), texts(after), { body: textWithAddresses });
}

function texts({ effective_on: day, ...lines }: LegalPageContent): Record<keyof PageForm, string> {
  // A year of five digits, which can be typed, makes no day.
  const effective_on = day?.length === 10 ? dayWords(day) : (day ?? '');
  return { ...lines, effective_on };
}
