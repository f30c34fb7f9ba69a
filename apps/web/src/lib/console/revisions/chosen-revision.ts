/** @returns the revision's number in the page's query, or null. */
export function chosenRevision(url: URL): number | null {
  // Svelte's `url.searchParams` would bind the page to the whole query.
  const asked = new URLSearchParams(url.search).get('number') ?? '';
  return /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null;
}
