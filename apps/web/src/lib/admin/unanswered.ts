/**
 * Words for a deed whose answer was lost, or was a fault of ours or of a proxy, which may have given up
 * waiting. Nobody knows what became of it; the key, the version or the state makes a second press safe.
 */
import { m } from '#lib/paraglide/messages.js';

const faults = [
  'server_error',
  'service_unavailable',
  'http_500',
  'http_502',
  'http_503',
  'http_504',
];

export function unansweredWords(): Record<string, string> {
  const broken = faults.map((code) => [code, m.admin_unanswered_fault()]);
  return {
    unreachable: m.admin_unanswered(),
    timeout: m.admin_unanswered(),
    ...Object.fromEntries(broken),
  };
}
