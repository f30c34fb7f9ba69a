/** The providers that one can come through; none when the list cannot be had, since the form serves without. */
import { listProviders } from '@cambist/contract/providers';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { ApiError } from '#lib/api/client.ts';
import type { ServerCall } from './relay.ts';

export async function offeredProviders(
  call: ServerCall,
): Promise<ReplyOf<typeof listProviders>['data']> {
  try {
    return (await call(listProviders)).data;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}
