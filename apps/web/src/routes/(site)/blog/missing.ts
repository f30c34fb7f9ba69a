/** What is not there at an address of the blog: a post, a tag, a page of a list, or a preview. Pure. */
export function missingAt(
  route: string | null,
  query: Pick<URLSearchParams, 'has'>,
): 'post' | 'tag' | 'page' | 'preview' {
  if (route?.includes('/preview/')) return 'preview';
  if (route?.endsWith('/[slug]')) return 'post';
  if (query.has('page')) return 'page';
  return route?.endsWith('/[tag]') ? 'tag' : 'post';
}
