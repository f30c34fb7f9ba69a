/** Revisions: what a post, a legal page or a group of settings said at one time. */
import { Type, type Static, type TSchema } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import {
  Cursor,
  cursorQuery,
  Id,
  maxInteger,
  nullable,
  One,
  Strict,
  Time,
  Version,
} from './wire.ts';

export const revisionReasons = ['saved', 'published', 'restored'] as const;

export const Revision = Type.Object({
  number: Type.Integer(),
  reason: Type.Enum(revisionReasons),
  /** Null for what a new desk begins with. */
  author: nullable(Type.String()),
  at: Time,
});
export type Revision = Static<typeof Revision>;

export const RevisionNumber = Type.Integer({ minimum: 1, maximum: maxInteger });

/** One revision with what it said. */
export function RevisionOf<S extends TSchema>(content: S) {
  return Type.Object({ ...Revision.properties, content });
}

export const byId = Strict({ id: Id });
const byRevision = Strict({ id: Id, number: RevisionNumber });

/** Shows a draft without an account until it expires. */
const PreviewLink = Type.Object({ url: Type.String(), expires_at: Time });

/** For the revisions of a post or page under this path, and for the link that shows its draft. */
export function revisionEndpoints<Content extends TSchema, Draft extends TSchema>(
  path: string,
  what: string,
  content: Content,
  draft: Draft,
) {
  return {
    makePreviewLink: endpoint({
      ...adminWrites('content'),
      path: `${path}/preview-link`,
      summary: 'A link to the draft that works without an account, for three days.',
      params: byId,
      reply: One(PreviewLink),
    }),
    listRevisions: endpoint({
      ...adminReads('content'),
      path: `${path}/revisions`,
      summary: `The revisions of a ${what}, the latest first.`,
      params: byId,
      query: Strict(cursorQuery),
      reply: Cursor(Revision),
    }),
    getRevision: endpoint({
      ...adminReads('content'),
      path: `${path}/revisions/{number}`,
      summary: `One revision of a ${what} with its content.`,
      params: byRevision,
      reply: One(RevisionOf(content)),
    }),
    restoreRevision: endpoint({
      ...adminWrites('content'),
      path: `${path}/revisions/{number}/restoration`,
      summary: 'Puts a revision into the draft; nothing public changes.',
      params: byRevision,
      body: Strict({ version: Version }),
      reply: One(draft),
      refusals: ['version_conflict'],
    }),
  };
}
