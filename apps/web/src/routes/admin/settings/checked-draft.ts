/** Unsaved settings of a preview request, checked by the API, which also checks the permission. */
import { error } from '@sveltejs/kit';
import type { PublicSetting } from '@cambist/contract/settings';
import { checkSettings } from '@cambist/contract/settings-revisions';
import { ApiError } from '#lib/api/client.ts';
import type { ServerCall } from '#lib/server/relay.ts';
import type { Previewed } from './previewed.ts';

/** Their public part. Errors: 400 for an unreadable draft, and those of the API. */
export async function checkedDraft<S extends Previewed>(
  call: ServerCall,
  slug: S,
  form: FormData,
): Promise<PublicSetting<S>> {
  const body = { value: read(form.get('draft')) };
  try {
    const { data } = await call(checkSettings, { params: { slug }, body });
    return data as unknown as PublicSetting<S>;
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status < 400) throw failure;
    error(failure.status, failure.message);
  }
}

function read(draft: FormDataEntryValue | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(draft));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Not JSON.
  }
  error(400, 'Bad Request');
}
