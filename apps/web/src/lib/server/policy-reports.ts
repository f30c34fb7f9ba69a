/**
 * Converts the browsers' policy reports, in both formats, to what the API logs, without personal
 * data: the page is a post, a pair or the first part of its path; what was blocked is a keyword or
 * an origin. Pure.
 */
import { MAX_POLICY_REPORTS, type PolicyReport } from '@cambist/contract/policy-reports';

/** One report has some hundred bytes; browsers send several at once. */
export const MAX_REPORT_BYTES = 32 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** @throws {SyntaxError} for invalid JSON */
export function readReports(body: string): PolicyReport[] {
  const parsed: unknown = JSON.parse(body);
  const given: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return given
    .slice(0, MAX_POLICY_REPORTS)
    .map(reportOf)
    .filter((report) => report !== null);
}

function reportOf(given: unknown): PolicyReport | null {
  const { 'csp-report': old, type, body } = fieldsOf(given);
  if (old === undefined && type !== 'csp-violation') return null;
  const fields = fieldsOf(old ?? body);
  const text = (...names: readonly string[]) => {
    const value = names.map((name) => fields[name]).find((each) => typeof each === 'string');
    return typeof value === 'string' ? value : '';
  };
  const address = text('document-uri', 'documentURL');
  const directive = text('effective-directive', 'effectiveDirective', 'violated-directive').split(
    ' ',
  )[0];
  const blocked = blockedOf(text('blocked-uri', 'blockedURL'), address);
  // Browser extensions are not part of the site.
  if (/^[a-z]+-extension:/.test(text('source-file', 'sourceFile'))) return null;
  if (blocked === null || directive === undefined || !/^[a-z][a-z-]{0,40}$/.test(directive))
    return null;
  return { page: pageOf(address), directive, blocked };
}

/** Anything behind the first part may be a secret, except for posts and pairs. */
function pageOf(address: string): string {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return '/unknown';
  const { pathname } = new URL(address);
  if (/^\/(blog|rates)\/[a-z0-9-]{1,80}$/.test(pathname)) return pathname;
  const [, first = ''] = pathname.split('/');
  return /^[a-z0-9-]{0,60}$/.test(first) ? `/${first}` : '/unknown';
}

function blockedOf(blocked: string, address: string): string | null {
  if (blocked === '') return 'inline';
  if (/^[a-z][a-z-]{0,30}$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return null;
  const { protocol, origin } = new URL(blocked);
  if (protocol.endsWith('-extension:')) return null;
  if (!/^(https?|wss?):$/.test(protocol)) return protocol.slice(0, -1);
  return URL.canParse(address) && new URL(address).origin === origin ? 'self' : origin;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
