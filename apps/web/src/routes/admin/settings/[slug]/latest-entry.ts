/** A group of settings as it is by now, and who made it so. */
import { getSettings, type SettingsEntry } from '@cambist/contract/settings';
import { listSettingsHistory } from '@cambist/contract/settings-history';
import type { Saved } from '#lib/admin/kept-editing.svelte.ts';
import type { GroupDraft } from '#lib/admin/schema-form/draft.ts';
import { call } from '#lib/api.ts';

/** `by` is null where the history does not name anybody. @throws {ApiError} */
export async function latestEntry(
  slug: string,
): Promise<{ readonly entry: SettingsEntry; readonly by: string | null }> {
  const [{ data: entry }, { data: changes }] = await Promise.all([
    call(getSettings, { params: { slug } }),
    call(listSettingsHistory, { params: { slug }, query: {} }),
  ]);
  const writing = changes.find(({ version }) => version === entry.version);
  return { entry, by: writing?.author ?? null };
}

export function savedBy(
  { version, updated_at: at, updated_by }: SettingsEntry,
  draft: GroupDraft,
  { by, userId }: { readonly by: string | null; readonly userId: string },
): Saved<GroupDraft> {
  return { draft, version, by, isOwn: updated_by === userId, at };
}
