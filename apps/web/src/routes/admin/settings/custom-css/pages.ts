/** The public pages on which a style sheet can be previewed: one of each kind, and all legal pages. */
import { listPosts } from '@cambist/contract/blog';
import { listLegalPages } from '@cambist/contract/legal-pages';
import { ratesShowcase } from '@cambist/contract/pairs';
import { m } from '#lib/paraglide/messages.js';
import type { ServerCall } from '#lib/server/relay.ts';
import type { Choice } from '#lib/ui/NativeSelect.svelte';

/** By path, the home page first. */
export async function pagesToPreview(call: ServerCall): Promise<Choice[]> {
  const [{ data: pairs }, { data: posts }, { data: legal }] = await Promise.all([
    call(ratesShowcase),
    call(listPosts, { query: { per_page: 1 } }),
    call(listLegalPages),
  ]);
  return [
    { value: '/', label: m.settings_page_home() },
    { value: '/rates', label: m.site_rate_all() },
    ...pairs.slice(0, 1).map(({ pair }) => ({
      value: `/rates/${pair}`,
      label: m.settings_page_pair(),
    })),
    { value: '/blog', label: m.posts_title() },
    ...posts.map(({ slug, title }) => ({ value: `/blog/${slug}`, label: title })),
    ...legal.map(({ slug, title }) => ({ value: `/${slug}`, label: title })),
    { value: '/contact', label: m.contact_title() },
  ];
}
