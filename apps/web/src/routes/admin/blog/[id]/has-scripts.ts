/** Whether a head has scripts other than JSON-LD, as somebody types it; the service reads it strictly. Pure. */
export function hasScripts(head: string): boolean {
  // Bare JSON is no markup, whatever its strings hold.
  if (!head.trim().startsWith('<')) return false;
  const rest = head.replace(/<script\b[^>]*ld\+json[^>]*>[\s\S]*?<\/script\s*>/gi, '');
  const starts = rest.match(/<script\b[^>]*>/gi) ?? [];
  return starts.some((start) => !/ld\+json/i.test(start));
}
