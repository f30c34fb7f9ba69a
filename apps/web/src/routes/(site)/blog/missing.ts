/** What is missing at a blog address: a post, a tag, a page of a list, or a preview. Pure. */
export function missingAt(
  route: string | null,
  query: Pick<URLSearchParams, 'get'>,
): 'post' | 'tag' | 'page' | 'preview' {
  if (route?.includes('/preview/')) return 'preview';
  if (route?.endsWith('/[slug]')) return 'post';
  if (Number(query.get('page')) > 1) return 'page';
  return route?.endsWith('/[tag]') ? 'tag' : 'post';
}
