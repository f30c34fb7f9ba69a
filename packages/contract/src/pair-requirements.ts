/** The fields and evidence of a pair. */
import { Type } from 'typebox';
import { Field } from './currencies.ts';
import { endpoint, memberReads } from './endpoint.ts';
import { evidences } from './pair-terms.ts';
import { One, Slug, Strict } from './wire.ts';

export const pairRequirements = endpoint({
  ...memberReads,
  path: '/api/pairs/{slug}/requirements',
  summary: 'The fields and the evidence that this pair requires.',
  params: Strict({ slug: Slug }),
  reply: One(
    Type.Object({
      sender_fields: Type.Array(Field),
      payout_fields: Type.Array(Field),
      evidence: Type.Enum(evidences),
      pay_minutes: Type.Integer(),
      payout_time: Type.String(),
    }),
  ),
  refusals: ['pair_unavailable'],
});
