/** Legal pages for their editors: drafts, versions, revisions, their order on the site. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { LegalPageVersion } from './legal-pages.ts';
import { byId, revisionEndpoints } from './revisions.ts';
import { Day, Id, Many, nullable, One, Slug, Strict, Time, Version, Words } from './wire.ts';

/** Characters of a page's HTML, as it is after cleaning. */
export const maxPageBody = 200_000;

/** The content of a draft. It may be incomplete: it is checked when it is published. */
export const LegalPageContent = Strict({
  title: Type.String({ maxLength: 120 }),
  /** One or two sentences for lists and search engines. */
  summary: Type.String({ maxLength: 300 }),
  /** HTML, cleaned by the allow-list of packages/html. */
  body: Type.String({ maxLength: maxPageBody }),
  /** What changes with it, for readers of the list of versions. */
  change: Type.String({ maxLength: 300 }),
  /** Null: the day on which it is published. */
  effective_on: nullable(Day),
});
export type LegalPageContent = Static<typeof LegalPageContent>;

/** `draft`: never published. `withdrawn`: published once, and not on the site. */
export const legalPageStates = ['draft', 'published', 'withdrawn'] as const;
export type LegalPageState = (typeof legalPageStates)[number];

export const LegalPageNote = Type.Object({
  id: Id,
  slug: Slug,
  title: Type.String(),
  state: Type.Enum(legalPageStates),
  /** The version in force, and the next one announced; null where there is none. */
  in_force: nullable(Type.Integer()),
  announced_on: nullable(Day),
  /** The draft differs from the latest version. */
  changed: Type.Boolean(),
  saved_at: Time,
});
export type LegalPageNote = Static<typeof LegalPageNote>;

export const LegalPageDraft = Type.Object({
  ...LegalPageNote.properties,
  /** Of the draft and the address; each save raises it. */
  version: Version,
  content: LegalPageContent,
  saved_by: nullable(Type.String()),
  /** Former addresses that lead to the present one. */
  redirects: Type.Array(Type.String()),
  /** The latest first. */
  versions: Type.Array(
    Type.Object({
      ...LegalPageVersion.properties,
      title: Type.String(),
      author: nullable(Type.String()),
    }),
  ),
});
export type LegalPageDraft = Static<typeof LegalPageDraft>;

export const listLegalPageDrafts = endpoint({
  ...adminReads('content'),
  path: '/api/admin/legal-pages',
  summary: 'All legal pages in their order on the site.',
  reply: Many(LegalPageNote),
});

export const createLegalPage = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/legal-pages',
  summary: 'Creates a legal page: a draft with a title, its address made of it.',
  status: 201,
  body: Strict({ title: Words(1, 120), slug: Type.Optional(Slug) }),
  reply: One(LegalPageDraft),
});

export const orderLegalPages = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: '/api/admin/legal-pages/order',
  summary: 'Puts the legal pages into this order; all of them are named.',
  body: Strict({ ids: Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true }) }),
  reply: Many(LegalPageNote),
  refusals: ['version_conflict'],
});

export const getLegalPageDraft = endpoint({
  ...adminReads('content'),
  path: '/api/admin/legal-pages/{id}',
  summary: 'One legal page for its editor, with the list of its versions.',
  params: byId,
  reply: One(LegalPageDraft),
});

/** `removed` names the elements and attributes that were removed from the HTML. */
export const saveLegalPage = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: '/api/admin/legal-pages/{id}/draft',
  summary: 'Saves the draft; nothing public changes.',
  params: byId,
  longText: true,
  body: Strict({ version: Version, content: LegalPageContent }),
  reply: One(Type.Object({ ...LegalPageDraft.properties, removed: Type.Array(Type.String()) })),
  refusals: ['version_conflict'],
});

export const moveLegalPage = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: '/api/admin/legal-pages/{id}/address',
  summary: 'Gives the page another address at once; one that was public leads on for good.',
  params: byId,
  body: Strict({ version: Version, slug: Slug }),
  reply: One(LegalPageDraft),
  refusals: ['version_conflict'],
});

export const publishLegalPage = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/legal-pages/{id}/publication',
  summary: 'Makes a version of the draft and puts the page on the site.',
  params: byId,
  body: Strict({ version: Version }),
  reply: One(LegalPageDraft),
  refusals: ['version_conflict', 'nothing_changed'],
});

export const bringBackLegalPage = endpoint({
  ...adminWrites('content'),
  method: 'PUT',
  path: '/api/admin/legal-pages/{id}/publication',
  summary: 'Puts a page that was taken off the site back, with the versions that it has.',
  params: byId,
  reply: One(LegalPageDraft),
  refusals: ['never_published'],
});

export const withdrawLegalPage = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/legal-pages/{id}/publication',
  summary: 'Takes a page off the site, unless the settings name it; its versions are kept.',
  params: byId,
  reply: One(LegalPageDraft),
  refusals: ['page_is_named'],
});

export const deleteLegalPage = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/legal-pages/{id}',
  summary: 'Deletes a page that was never published; others are kept for good.',
  status: 204,
  params: byId,
  refusals: ['was_published'],
});

export const {
  makePreviewLink: makeLegalPagePreview,
  listRevisions: listLegalPageRevisions,
  getRevision: getLegalPageRevision,
  restoreRevision: restoreLegalPageRevision,
} = revisionEndpoints(
  '/api/admin/legal-pages/{id}',
  'legal page',
  LegalPageContent,
  LegalPageDraft,
);
