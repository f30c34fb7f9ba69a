/** What would lead nowhere without a post, or a legal page. */
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Many, Strict } from './wire.ts';

const byId = Strict({ id: Id });

const Links = Many(
  Type.Object({
    /** The letters of a `sent_campaign` are with their readers, or on their way. */
    kind: Type.Enum(['post', 'legal_page', 'settings', 'campaign', 'sent_campaign'] as const),
    /** Of the group of settings its slug. */
    id: Type.String(),
    title: Type.String(),
  }),
);

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
