/** Answers that leave open what became of a deed. Pure. */

/** Whether what was sent may be done all the same: no answer came, or the service, or a proxy, may have given up waiting. */
export function isUnsure({ status }: { readonly status: number }): boolean {
  return status === 0 || status >= 500;
}

/** The codes of such answers that say nothing of their own; of a proxy, the API's client makes them of the status. */
export const faultCodes: readonly string[] = [
  'server_error',
  'service_unavailable',
  ...Array.from({ length: 100 }, (_, index) => `http_${500 + index}`),
];
