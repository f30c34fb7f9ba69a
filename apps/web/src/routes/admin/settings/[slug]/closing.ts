/** Whether saving general settings closes the site for everybody who visits it. Pure. */
import type { GroupDraft } from '#lib/admin/schema-form/draft.ts';

export function closesSite(draft: GroupDraft, began: GroupDraft): boolean {
  return isClosed(draft) && !isClosed(began);
}

function isClosed({ maintenance }: GroupDraft): boolean {
  return (
    typeof maintenance === 'object' && 'enabled' in maintenance && maintenance.enabled === true
  );
}
