/** Where a person was going, through sign-in and its kin and through the letters that they send. Pure. */
export interface Address {
  readonly searchParams: Pick<URLSearchParams, 'get'>;
}

/** The address of a sibling page that still knows where the person was going. */
export function keepNext(path: string, { searchParams }: Address): string {
  const next = searchParams.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
}

/** The service refuses longer ones, and a sign-up must not fail by that. */
const longest = 4000;

/** What the letter that confirms an address leads on to, as the service takes it. */
export function nextOfLetter(next: string | null): { next?: string } {
  return next === null || next.length > longest ? {} : { next };
}
