/**
 * A part of a page that never moves in the browser, as HTML: rendered here it
 * costs the visitor no script. The page shows it with `{@html}`, so it must not
 * show ids that it asks for (`$props.id()`), nor the page's state.
 */
import type { Component } from 'svelte';
import { render } from 'svelte/server';

export async function still<P extends Record<string, unknown>>(
  component: Component<P>,
  props: P,
): Promise<string> {
  const { body } = await render(component as Component, { props });
  // Marks for the script that would take it over; what people wrote has no "<" left in it.
  return body.replace(/<!--[\s\S]*?-->/g, '');
}
