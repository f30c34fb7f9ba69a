/** The signed time that a public form carries, asked of the API as the page is made. */
import { getFormStamp } from '@cambist/contract/form-stamp';
import { ApiError } from '#lib/api/client.ts';

/** Empty where the API does not answer: the form is there without it. */
export async function formStamp(call: App.Locals['call']): Promise<string> {
  try {
    return (await call(getFormStamp)).data.stamp;
  } catch (error) {
    if (error instanceof ApiError) return '';
    throw error;
  }
}
