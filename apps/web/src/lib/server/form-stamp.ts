import { getFormStamp } from '@cambist/contract/form-stamp';
import { orElse } from '#lib/api/or-else.ts';

/** The signed time in public forms, by which the API recognises bots; empty when the API is down. */
export async function formStamp(call: App.Locals['call']): Promise<string> {
  return (await orElse(call(getFormStamp), null))?.data.stamp ?? '';
}
