/** Whether a head has scripts other than JSON-LD, as somebody types it; the service reads it strictly. Pure. */
export function hasScripts(head: string): boolean {
  const starts = head.match(/<script\b[^>]*>/gi) ?? [];
  return starts.some((start) => !/ld\+json/i.test(start));
}
