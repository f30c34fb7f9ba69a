/**
 * The signed time of a form: one that comes back faster than anyone types was filled by a machine, and is stored
 * with a flag. The stamp is optional, since API clients have no form.
 */
import { Type } from 'typebox';
import { endpoint, publicReads } from './endpoint.ts';
import { One } from './wire.ts';

/** The field of a form. */
export const Stamp = Type.Optional(Type.String({ maxLength: 60 }));

export const getFormStamp = endpoint({
  ...publicReads,
  path: '/api/public/form-stamps',
  summary: 'A signed time for a public form to carry as `stamp`.',
  reply: One(Type.Object({ stamp: Type.String() })),
});
