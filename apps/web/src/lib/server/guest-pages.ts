/** The pages that all guests see alike, stored by `ready-pages.ts` while the API tells of changes. */
import type { RequestEvent } from '@sveltejs/kit';
import { parseTheme, themeCookie } from '#lib/browser/theme.ts';
import { baseLocale, cookieName, isLocale } from '#lib/paraglide/runtime.js';
import { followChanges } from './api-changes.ts';
import { compressed } from './compression.ts';
import { openReadyPages } from './ready-pages.ts';
import { hasSessionCookie, type Relay } from './relay.ts';
import { outdateSettings } from './site-settings.ts';

const valueOf = (name: string) => new RegExp(`(?:^|;\\s*)${name}=([^;]*)`);
const [theme, language] = [valueOf(themeCookie), valueOf(cookieName)];

const pages = openReadyPages((cookies) => {
  if (cookies === '') return `auto ${baseLocale}`;
  if (hasSessionCookie(cookies)) return null;
  const locale = language.exec(cookies)?.[1];
  return `${parseTheme(theme.exec(cookies)?.[1])} ${isLocale(locale) ? locale : baseLocale}`;
});

/** Once, when the server starts. */
export function startGuestPages(): void {
  globalThis.readyPages = pages;
  const stopped = new AbortController();
  process.once('sveltekit:shutdown', () => stopped.abort());
  const changed = () => {
    outdateSettings();
    pages.drop(true);
  };
  void followChanges({ changed, lost: () => pages.drop(false) }, stopped.signal);
}

/** The answer to a guest, as it is sent: stored where all guests get the same, else compressed. */
export async function guestAnswer(
  response: Response,
  { request, platform, locals }: RequestEvent,
  relay: Relay,
): Promise<Response> {
  const { headers, status } = response;
  const isSame =
    status === 200 &&
    headers.get('content-type')?.startsWith('text/html') &&
    headers.get('cache-control') !== 'no-store' &&
    !headers.has('set-cookie') &&
    !relay.hasSession &&
    relay.isShared();
  if (!isSame || !platform) return compressed(request, response);
  const body = Buffer.from(await response.arrayBuffer());
  const ready = await pages.store(platform.req, { headers, body });
  if (ready === null) return compressed(request, new Response(body, response));
  return new Response(ready.body as BodyInit, {
    headers: [...ready.headers, ['x-request-id', locals.requestId]] as [string, string][],
  });
}
