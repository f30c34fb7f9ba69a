/** The contract as an HTML page, without scripts and external resources. */
import { createHash } from 'node:crypto';
import type { Endpoint, Scope } from '@cambist/contract/endpoint';
import { refusalStatuses, tagOf } from './openapi.ts';
import { HOUR } from '#kernel/clock.ts';
import { escaped } from '#kernel/escaped.ts';
import { throttles } from '#platform/security/throttles.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
h2 { font-size: 1.125rem; margin: 2.5rem 0 .5rem; text-transform: capitalize; }
p { max-width: 46rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
th { font-weight: 600; font-size: .8125rem; }
code { font: .875rem/1.5 ui-monospace, monospace; white-space: nowrap; }
td:first-child { width: 36%; } td:nth-child(2) { min-width: 14rem; } td:nth-child(n + 3) { font-size: .875rem; }
`;

const WHO: Readonly<Record<Scope, string>> = {
  public: 'anyone',
  stateful: 'anyone, with token',
  member: 'signed in',
  admin: 'admins',
};

/** Allows only the style of the page. */
export const apiPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** `scale` is THROTTLE_SCALE; 0 means no limits. */
export function apiPage(endpoints: readonly Endpoint[], scale: number): string {
  const tags = [...new Set(endpoints.map(({ path }) => tagOf(path)))].toSorted(inReadingOrder);
  const sections = tags.map((tag) =>
    section(
      tag,
      endpoints.filter(({ path }) => tagOf(path) === tag),
      scale,
    ),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cambist API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Cambist API</h1>
<p>JSON in and out. Cookies carry the session: ask <code>GET /stateful/csrf-cookie</code> first, then send
the value of the cookie <code>XSRF-TOKEN</code> as the header <code>X-XSRF-TOKEN</code> with every write.
A write may name in <code>X-Signed-In-As</code> the id of the user it is meant for; the session of another user refuses it
(409 <code>signed_in_as_another</code>).
Amounts and rates are decimal strings; times are ISO 8601 in UTC. Every error has a <code>message</code> and a
<code>code</code>; 422 has <code>errors</code> by field. All shapes stand in
<a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${sections.join('\n')}
</body>
</html>
`;
}

/** The session first, admins last. */
function inReadingOrder(one: string, other: string): number {
  const rank = (tag: string) => (tag === 'session' ? 0 : tag.startsWith('admin') ? 2 : 1);
  return rank(one) - rank(other) || one.localeCompare(other);
}

function section(tag: string, endpoints: readonly Endpoint[], scale: number): string {
  const rows = endpoints.map((endpoint) => row(endpoint, scale)).join('\n');
  return `<h2>${escaped(tag.replaceAll('-', ' '))}</h2>
<div><table>
<tr><th>Request</th><th>What it does</th><th>Who</th><th>Answers</th><th>At most</th></tr>
${rows}
</table></div>`;
}

function row(endpoint: Endpoint, scale: number): string {
  const { method, path, summary, scope, status, throttle } = endpoint;
  const answers = [status, ...refusalStatuses(endpoint)].toSorted((a, b) => a - b).join(', ');
  const { most, windowMs } = throttles[throttle];
  const window = windowMs === HOUR ? 'an hour' : 'a minute';
  const limit = scale === 0 ? 'no limit' : `${Math.max(1, Math.round(most * scale))} ${window}`;
  return `<tr><td><code>${method} ${escaped(path)}</code></td><td>${escaped(summary)}</td><td>${WHO[scope]}</td><td>${answers}</td><td>${limit}</td></tr>`;
}
