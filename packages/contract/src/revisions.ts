/** Revisions: what a post, a legal page or a group of settings said at one time. */
import { Type, type Static, type TSchema } from 'typebox';
import { Id, maxInteger, nullable, Strict, Time } from './wire.ts';

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
export const byRevision = Strict({ id: Id, number: RevisionNumber });

/** Shows a draft without an account until it expires. */
export const PreviewLink = Type.Object({ url: Type.String(), expires_at: Time });
