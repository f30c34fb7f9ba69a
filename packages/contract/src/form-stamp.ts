/**
 * When a form was handed out, signed by the service. What comes back sooner than
 * anybody types was filled in by a machine: it is kept, and flagged. A form that
 * carries none is judged by its other signs alone, since callers need no page.
 */
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { One } from './wire.ts';

/** The field of a form. */
export const Stamp = Type.Optional(Type.String({ maxLength: 60 }));

export const getFormStamp = endpoint({
  method: 'GET',
  path: '/api/public/form-stamps',
  scope: 'public',
  throttle: 'read',
  summary: 'A signed time for a public form to carry as `stamp`.',
  status: 200,
  reply: One(Type.Object({ stamp: Type.String() })),
});
