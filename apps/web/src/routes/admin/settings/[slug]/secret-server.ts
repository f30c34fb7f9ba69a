/** The server that the password of mail is for: the saved one, whatever is typed. Pure. */
import type { SettingsEntry } from '@cambist/contract/settings';
import type { GroupDraft } from '#lib/console/schema-form/draft.ts';

/** What says whom the service hands the password to, and how. */
const parts = ['host', 'port', 'security', 'username'];

/** Whether the form speaks of another server than is saved, or of another way to it. */
export function isOtherServer(draft: GroupDraft, began: GroupDraft): boolean {
  return parts.some((part) => String(draft[part]).trim() !== String(began[part]).trim());
}

/** The host by whose change saving has removed the password; null where it has not. */
export function forsakenServer(before: SettingsEntry, saved: SettingsEntry): string | null {
  const isKept = ({ secrets }: SettingsEntry) => secrets.some(({ set }) => set);
  const isGone = saved.slug === 'mail' && isKept(before) && !isKept(saved);
  return isGone ? String(before.value['host']) : null;
}
