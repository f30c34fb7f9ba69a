/**
 * A part of a page that never moves in the browser, as HTML: rendered here it
 * costs the visitor no script. The page shows it with `{@html}` as all that an
 * element has, so it must not show ids that it asks for (`$props.id()`), nor the
 * page's state.
 */
import { createHash } from 'node:crypto';
import { getRequestEvent } from '$app/server';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { Still, type Shown } from '#lib/browser/static-html.ts';

export async function still<P extends Record<string, unknown>>(
  component: Component<P>,
  props: P,
): Promise<Shown> {
  const html = await rendered(component, props);
  return html.startsWith('<') && isForDocument() ? new Still(html, placeOf(html)) : html;
}

/** The same for what is kept beyond this request. */
export async function rendered<P extends Record<string, unknown>>(
  component: Component<P>,
  props: P,
): Promise<string> {
  const { body } = await render(component as Component, { props });
  // Marks for the script that would take it over; what people wrote has no "<" left in it.
  return body.replace(/<!--[\s\S]*?-->/g, '').trim();
}

/** The data of a page that the browser asks for alone has no document beside it. */
function isForDocument(): boolean {
  const { isDataRequest, request } = getRequestEvent();
  // HEAD tells the length and the tag of what GET answers.
  return (request.method === 'GET' || request.method === 'HEAD') && !isDataRequest;
}

/** By what stands there, so that the same page is the same text, which browsers and caches can keep. */
function placeOf(html: string): string {
  return createHash('sha256').update(html).digest('base64url').slice(0, 10);
}
