/**
 * Renders a part of a page to HTML that never changes in the browser, so that it costs no script.
 * The page shows it with `{@html}` as the only content of an element. The component must not use
 * `$props.id()` or the page's state.
 */
import { createHash } from 'node:crypto';
import { getRequestEvent } from '$app/server';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { StaticHtml, type HtmlPart } from '#lib/browser/static-html.ts';

export async function renderStatic<P extends Record<string, unknown>>(
  component: Component<P>,
  props: P,
): Promise<HtmlPart> {
  const html = await renderHtml(component, props);
  return html.startsWith('<') && isForDocument() ? new StaticHtml(html, placeOf(html)) : html;
}

/** For HTML that is cached across requests. */
export async function renderHtml<P extends Record<string, unknown>>(
  component: Component<P>,
  props: P,
): Promise<string> {
  const { body } = await render(component as Component, { props });
  // Hydration comments; user content has no "<" left in it.
  return body.replace(/<!--[\s\S]*?-->/g, '').trim();
}

/** The data of a client-side navigation has no document beside it. */
function isForDocument(): boolean {
  const { isDataRequest, request } = getRequestEvent();
  // HEAD must have the length and the tag of GET.
  return (request.method === 'GET' || request.method === 'HEAD') && !isDataRequest;
}

/** Derived from the content, so that the same page is the same bytes and can be cached. */
function placeOf(html: string): string {
  return createHash('sha256').update(html).digest('base64url').slice(0, 10);
}
