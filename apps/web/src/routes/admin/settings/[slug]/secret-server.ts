/** The server that the password of mail is for: the saved one, whatever is typed. Pure. */
import type { SettingsEntry } from '@cambist/contract/settings';
import type { SettingsChange } from '@cambist/contract/settings-history';
import type { GroupDraft } from '#lib/admin/schema-form/draft.ts';
import { beating } from './overruled.ts';

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

/**
 * The server that a restored version named instead of another, and whose password has gone: none is
 * restored. Null where there is none to miss. `changes` are the latest first.
 */
export function restoredWithout(
  { slug, value, secrets, overridden_by }: SettingsEntry,
  changes: readonly Pick<SettingsChange, 'kind' | 'version' | 'changes'>[],
): string | null {
  if (slug !== 'mail' || value['host'] === '' || secrets.some(({ set }) => set)) return null;
  if (beating(overridden_by, 'secrets', 'password').length > 0) return null;
  const latest = changes.find(({ version }) => version !== null);
  const isOther = latest?.kind === 'restored' && latest.changes.some(({ path }) => path === 'host');
  const isGone = changes.some(({ kind }) => kind === 'secret_removed');
  return isOther && isGone ? String(value['host']) : null;
}
