/**
 * What browsers refused to load or run on pages of the site, as its
 * Content-Security-Policy has them report it. Nothing in a report tells who sent
 * it: no address, no browser, no query, no text of the page.
 */
import { Type, type Static } from 'typebox';
import { endpoint, publicWrites } from './endpoint.ts';
import { Strict } from './wire.ts';

const PolicyReport = Strict({
  /** A post, a pair, or the first step of the page's path; what follows may be a secret of its reader's. */
  page: Type.String({ pattern: '^/([a-z0-9-]{0,60}|(blog|rates)/[a-z0-9-]{1,80})$' }),
  directive: Type.String({ pattern: '^[a-z][a-z-]{0,40}$' }),
  /** A word such as `inline` or `eval`, a scheme such as `data`, or an origin. */
  blocked: Type.String({
    maxLength: 200,
    pattern: '^([a-z][a-z-]{0,30}|(https?|wss?)://[A-Za-z0-9._\\[\\]:-]+)$',
  }),
});
export type PolicyReport = Static<typeof PolicyReport>;

/** More in one report of a browser's than this are dropped. */
export const MAX_POLICY_REPORTS = 20;

export const reportPolicy = endpoint({
  ...publicWrites,
  path: '/api/policy-reports',
  throttle: 'policy',
  summary:
    'Logs what the policy of a page has blocked; the frontend hands on what browsers report.',
  status: 204,
  body: Strict({
    reports: Type.Array(PolicyReport, { minItems: 1, maxItems: MAX_POLICY_REPORTS }),
  }),
});
