/**
 * Receives the browsers' policy reports. Always answers 204, so that the sender learns nothing; the
 * API limits what is logged.
 */
import { reportPolicy } from '@cambist/contract/policy-reports';
import { ApiError } from '#lib/api/client.ts';
import { MAX_REPORT_BYTES, readReports } from '#lib/server/policy-reports.ts';
import type { RequestHandler } from './$types.js';

export const POST: RequestHandler = async ({ request, locals }) => {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > 0 && length <= MAX_REPORT_BYTES) {
    try {
      const reports = readReports(await request.text());
      if (reports.length > 0) await locals.call(reportPolicy, { body: { reports } });
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof ApiError)) throw error;
    }
  }
  return new Response(null, { status: 204 });
};
