/** Answers that leave open whether a request was carried out. Pure. */

/** Whether the request may have been carried out: no answer came, or the service or a proxy gave up waiting. */
export function isUnsure({ status }: { readonly status: number }): boolean {
  return status === 0 || status >= 500;
}

/** Whether such an answer gives no reason of its own, such as that the site is closed. */
export function isOutcomeUnknown({
  status,
  code,
}: {
  readonly status: number;
  readonly code: string;
}): boolean {
  return status === 0 || /^(server_error|service_unavailable|http_5\d\d)$/.test(code);
}
