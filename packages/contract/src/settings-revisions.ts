/** The revisions of settings, and checking a value before it is saved. */
import { Type } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { Revision, RevisionNumber, RevisionOf } from './revisions.ts';
import { bySettingSlug, bySlug, SettingsEntry } from './settings.ts';
import { Cursor, cursorQuery, maxInteger, One, Slug, Strict } from './wire.ts';

const Value = Type.Record(Type.String(), Type.Unknown());
const byNumber = Strict({ slug: Slug, number: RevisionNumber });

export const listSettingsRevisions = endpoint({
  ...adminReads(bySettingSlug),
  path: '/api/admin/settings/{slug}/revisions',
  summary: 'The revisions of one group of settings, the latest first.',
  params: bySlug,
  query: Strict(cursorQuery),
  reply: Cursor(Revision),
});

export const getSettingsRevision = endpoint({
  ...adminReads(bySettingSlug),
  path: '/api/admin/settings/{slug}/revisions/{number}',
  summary: 'One revision of a group of settings with its value.',
  params: byNumber,
  reply: One(RevisionOf(Value)),
});

export const restoreSettings = endpoint({
  ...adminWrites(bySettingSlug),
  path: '/api/admin/settings/{slug}/revisions/{number}/restoration',
  summary: 'Saves the value of a revision again, checked as any other; secrets stay as they are.',
  params: byNumber,
  /** The present version. */
  body: Strict({ version: Type.Integer({ minimum: 0, maximum: maxInteger }) }),
  reply: One(SettingsEntry),
  refusals: ['version_conflict', 'confirmation_required'],
});

/** `data` is the public part of the slug's schema, as `getPublicSettings` would answer it. */
export const checkSettings = endpoint({
  ...adminWrites(bySettingSlug),
  path: '/api/admin/settings/{slug}/checks',
  summary: 'Checks one group of settings as saving it would, and saves nothing.',
  params: bySlug,
  body: Strict({ value: Value }),
  checksText: true,
  reply: One(Value),
});
