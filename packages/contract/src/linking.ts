/** What would lead nowhere without a post, or a legal page. */
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Strict } from './wire.ts';

const byId = Strict({ id: Id });

const Link = Type.Object({
  /** The letters of a `sent_campaign` are with their readers, or on their way. */
  kind: Type.Enum(['settings', 'post', 'legal_page', 'campaign', 'sent_campaign'] as const),
  /** Of the group of settings its slug. */
  id: Type.String(),
  title: Type.String(),
});

const Links = Type.Object({
  /** Kind by kind, of each the youngest. */
  data: Type.Array(Link),
  has_more: Type.Boolean(),
});

export const listPostLinks = endpoint({
  method: 'GET',
  path: '/api/admin/blogs/{id}/links',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary:
    'What leads to a post by its present or a former address: other posts, legal pages, groups of settings, campaigns.',
  status: 200,
  params: byId,
  reply: Links,
});

export const listLegalPageLinks = endpoint({
  method: 'GET',
  path: '/api/admin/legal-pages/{id}/links',
  scope: 'admin',
  permission: 'content',
  throttle: 'read',
  summary:
    'What leads to a legal page by its present or a former address: posts, other legal pages, campaigns.',
  status: 200,
  params: byId,
  reply: Links,
});
