/**
 * Every request passes here: it gets an id, a language and a theme, the API is asked once for the
 * user, guarded pages and maintenance are enforced, and the answer leaves with security headers and
 * the API's cookies.
 */
import type { RequestEvent } from '@sveltejs/kit';
import {
  sequence,
  type Handle,
  type HandleServerError,
  type ServerInit,
} from '@sveltejs/kit/hooks';
import { ApiError } from '#lib/api/client.ts';
import { hasCustomCss } from '#lib/site/custom-css-pages.ts';
import { getTextDirection } from '#lib/paraglide/runtime.js';
import { paraglideMiddleware } from '#lib/paraglide/server.js';
import { limitFormFields } from '#lib/server/form-size.ts';
import { guestAnswer, startGuestPages } from '#lib/server/guest-pages.ts';
import { hideAddress, setSecurityHeaders } from '#lib/server/headers.ts';
import { closedAnswer, isClosed } from '#lib/server/maintenance.ts';
import { customStyleOf, publicHead, withHead, withInlineStyles } from '#lib/server/page-head.ts';
import { requestIdOf } from '#lib/server/ready-pages.ts';
import { createRelay, signInWhenLost, type Relay } from '#lib/server/relay.ts';
import { redirectFor, isSharedFile, isGuarded, loadVisitor, guest } from '#lib/server/session.ts';
import { siteSettings, siteWide } from '#lib/server/site-settings.ts';
import { parseTheme, themeCookie } from '#lib/browser/theme.ts';

// The fonts of the first screen; others load when needed.
const wordsFonts = /ibm-plex-(sans-latin-wght|serif-latin-500)-normal/;
const figuresFont = /ibm-plex-mono-latin-400-normal/;

export const init: ServerInit = startGuestPages;

const visitor: Handle = async ({ event, resolve }) => {
  const { locals } = event;
  locals.requestId = requestIdOf(event.request.headers.get('x-request-id'));
  locals.theme = parseTheme(event.cookies.get(themeCookie));

  const guarded = isGuarded(event.route.id);
  const relay = createRelay(event, locals.requestId);
  locals.call = guarded ? signInWhenLost(relay.call, event) : relay.call;
  const [known, wide] = await Promise.all([
    isSharedFile(event.route.id) ? guest : loadVisitor(relay),
    siteWide({
      isConsole: event.route.id?.startsWith('/admin') ?? false,
      hasSession: relay.hasSession,
    }),
  ]);
  Object.assign(locals, known, { wide, styleHashes: [] });

  const response = finish(await answered(event, resolve), event, relay, guarded);
  return locals.user === null ? guestAnswer(response, event, relay) : response;
};

async function answered(
  event: RequestEvent,
  resolve: Parameters<Handle>[0]['resolve'],
): Promise<Response> {
  if (isClosed(event)) return closedAnswer(event);
  const location = redirectFor(event, event.locals);
  return location === null
    ? resolve(event)
    : new Response(null, { status: 303, headers: { location } });
}

function finish(response: Response, event: RequestEvent, relay: Relay, guarded: boolean): Response {
  const { user, requestId, wide, styleHashes } = event.locals;
  // Their addresses may contain secrets: they are not cached and not sent as a referrer.
  const isAuth = /^\/\((auth|email-link)\)/.test(event.route.id ?? '');
  relay.handBack(response.headers);
  const isClosedPage = event.route.id === '/maintenance';
  setSecurityHeaders(response.headers, {
    requestId,
    personal: guarded || isAuth || isClosedPage || user !== null,
    noindex:
      guarded || (isAuth && !isIndexed(event)) || isClosedPage || (wide.robots?.noindex ?? false),
    styleHashes,
  });
  if (isAuth) hideAddress(response.headers);
  return response;
}

/** Search engines may list sign-in and sign-up, but not with a query. */
function isIndexed({ route, url }: RequestEvent): boolean {
  return /^\/\(auth\)\/(signin|signup)$/.test(route.id ?? '') && url.search === '';
}

async function addedHead({ route, url, locals }: RequestEvent, language: string): Promise<string> {
  const style = hasCustomCss(route.id) ? customStyleOf(locals.wide.css) : null;
  if (style) locals.styleHashes = [style.hash];
  const isPublic = route.id?.startsWith('/(site)') ?? false;
  const about = isPublic
    ? publicHead({ origin: url.origin, site: await siteSettings(), language })
    : '';
  // In the page too: after a 304 a crawler sees no new headers.
  const hidden = locals.wide.robots?.noindex ? '<meta name="robots" content="noindex">' : '';
  return hidden + about + (style?.element ?? '');
}

const document: Handle = ({ event, resolve }) =>
  paraglideMiddleware(event.request, async ({ locale }) => {
    const added = await addedHead(event, locale);
    const hasFigures = !event.route.id?.startsWith('/(auth)');
    return resolve(event, {
      transformPageChunk: ({ html }) =>
        styled(event, withHead(html, added))
          .replace('%lang%', locale)
          .replace('%dir%', getTextDirection(locale))
          .replace('%theme%', event.locals.theme),
      preload: (file) =>
        file.type === 'font'
          ? wordsFonts.test(file.filename) || (hasFigures && figuresFont.test(file.filename))
          : file.type === 'js',
    });
  });

/** A guest's page with its style sheets in the document. */
function styled({ locals }: RequestEvent, html: string): string {
  if (locals.user !== null || globalThis.clientFiles === undefined) return html;
  const page = withInlineStyles(html);
  if (page.hash !== null) locals.styleHashes = [...locals.styleHashes, page.hash];
  return page.html;
}

export const handle = sequence(visitor, limitFormFields, document);

export const handleError: HandleServerError = (caught) => {
  const request_id = caught.event.locals.requestId;
  if (caught.kind === 'unknown' && caught.error instanceof ApiError) {
    const { status, code, message, request_id: answered } = caught.error.failure;
    // Without an answer of the API this site is unavailable, not broken.
    const shown = status === 0 ? 503 : status;
    return { status: shown, message, code, request_id: answered ?? request_id };
  }
  if (caught.kind === 'unknown') logFault(caught.error, caught.event);
  return { request_id };
};

function logFault(error: unknown, event: RequestEvent): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const line = {
    level: 'error',
    time: new Date().toISOString(),
    request_id: event.locals.requestId,
    method: event.request.method,
    // The pattern, since a path may contain a token.
    path: event.route.id ?? event.url.pathname,
    error: detail,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
