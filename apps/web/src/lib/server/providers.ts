import { listProviders } from '@cambist/contract/providers';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { orElse } from '#lib/api/or-else.ts';
import type { ServerCall } from './relay.ts';

/** The sign-in providers to offer; none when the API is down, since the form works without them. */
export async function offeredProviders(
  call: ServerCall,
): Promise<ReplyOf<typeof listProviders>['data']> {
  return (await orElse(call(listProviders), { data: [] })).data;
}
