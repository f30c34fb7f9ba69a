/** What links to a post, a legal page or a picture: asked before it is deleted. */
import { Type, type Static } from 'typebox';
import { adminReads, endpoint } from './endpoint.ts';
import { byId } from './revisions.ts';
import { Many } from './wire.ts';

const Link = Type.Object({
  /** The emails of a `sent_campaign` are sent or being sent. */
  kind: Type.Enum(['settings', 'post', 'legal_page', 'campaign', 'sent_campaign'] as const),
  /** Of settings their slug. */
  id: Type.String(),
  title: Type.String(),
});
export type Link = Static<typeof Link>;

/** By kind; at most a hundred. */
const Links = Many(Link);

export const listPostLinks = endpoint({
  ...adminReads('content'),
  path: '/api/admin/blogs/{id}/links',
  summary:
    'What links to a post by its present or a former address: other posts, legal pages, settings, campaigns.',
  params: byId,
  reply: Links,
});

export const listLegalPageLinks = endpoint({
  ...adminReads('content'),
  path: '/api/admin/legal-pages/{id}/links',
  summary:
    'What links to a legal page by its present or a former address: posts, other legal pages, campaigns.',
  params: byId,
  reply: Links,
});

export const listMediaLinks = endpoint({
  ...adminReads('content'),
  path: '/api/admin/media/{id}/links',
  summary: 'What shows a picture.',
  params: byId,
  reply: Links,
});
