/** The search of the library, as it stands in the address, and the lengths that the service takes. Pure. */
export const searchLength = 100;
export const altLength = 300;
export const nameLength = 120;

export function readSearch(typed: string): string {
  return typed.trim().slice(0, searchLength);
}

export function mediaPagePath(q: string): string {
  return q === '' ? '/admin/media' : `/admin/media?${new URLSearchParams({ q })}`;
}
