/** Links between sign-in and its kin. Pure. */
interface Address {
  readonly searchParams: Pick<URLSearchParams, 'get'>;
}

/** The address of a sibling page that still knows where the person was going. */
export function keepNext(path: string, { searchParams }: Address): string {
  const next = searchParams.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
}
