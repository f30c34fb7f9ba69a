/**
 * Every writing of settings, with what it changed, and the ways back. Of secrets
 * it is kept that they were changed, never what they were.
 */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { bySettingSlug, bySlug, SettingsEntry } from './settings.ts';
import { Cursor, cursorQuery, maxInteger, One, Slug, Strict, Time } from './wire.ts';

const version = Type.Integer({ minimum: 0, maximum: maxInteger });
const Figure = Type.Union([Type.Integer(), Type.Null()]);
const Word = Type.Union([Type.String(), Type.Null()]);

/** A value that holds no others, or a list of such; null where there was nothing. */
const Leaf = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.String()),
]);
export type Leaf = Static<typeof Leaf>;

export const settingsChangeKinds = [
  'written',
  'restored',
  'secret_written',
  'secret_removed',
] as const;

export const SettingsChange = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(settingsChangeKinds),
  /** What it made; null for secrets, which have no versions. */
  version: Figure,
  /** The version that it took back; null unless `restored`. */
  restored: Figure,
  /** The version before, where it is kept: it can be restored. */
  replaced: Figure,
  /**
   * What "undo" and "redo" restore where this is the latest: undo after undo goes further back. What
   * changed nothing is passed over.
   */
  undo: Figure,
  redo: Figure,
  /** Its name, never itself. */
  secret: Word,
  /** Null for the desk itself. */
  author: Word,
  at: Time,
  /** By path, as mistakes are: `faq.items.0.answer`. */
  changes: Type.Array(Type.Object({ path: Type.String(), before: Leaf, after: Leaf })),
  /** What came into a list, went out of it or was moved in it, by the path of the list. */
  rows: Type.Array(
    Type.Object({
      path: Type.String(),
      /** Its places, from 0; null before it came, and once it is gone. */
      from: Figure,
      to: Figure,
      row: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type SettingsChange = Static<typeof SettingsChange>;

export const listSettingsHistory = endpoint({
  method: 'GET',
  path: '/api/admin/settings/{slug}/history',
  scope: 'admin',
  permission: bySettingSlug,
  throttle: 'read',
  summary: 'Who changed one group of settings when and how, the latest first.',
  status: 200,
  params: bySlug,
  query: Strict(cursorQuery),
  reply: Cursor(SettingsChange),
});

export const restoreSettings = endpoint({
  method: 'POST',
  path: '/api/admin/settings/{slug}/history/{number}/restoration',
  scope: 'admin',
  permission: bySettingSlug,
  throttle: 'write',
  summary:
    'Writes an older version of one group of settings anew, checked as any other but for half-filled points; secrets stay as they are.',
  status: 200,
  params: Strict({ slug: Slug, number: version }),
  body: Strict({
    /** The present version. */
    version,
    /** Chosen from the list: a change like any other, also where undo or redo would lead there. */
    chosen: Type.Optional(Type.Boolean()),
  }),
  reply: One(SettingsEntry),
  refusals: ['version_conflict', 'confirmation_required'],
});

/** `data` is the public part of the slug's schema, as `getPublicSettings` would give it. */
export const checkSettings = endpoint({
  method: 'POST',
  path: '/api/admin/settings/{slug}/checks',
  scope: 'admin',
  permission: bySettingSlug,
  throttle: 'write',
  summary: 'Checks one group of settings as writing it would, and keeps nothing.',
  status: 200,
  params: bySlug,
  body: Strict({ value: Type.Record(Type.String(), Type.Unknown()) }),
  checksText: true,
  reply: One(Type.Record(Type.String(), Type.Unknown())),
});
