/** Tells a person of a sign-in from a device or network that is new for them. */
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import { enqueueEmail } from '#features/email/email.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { networkOf } from '#platform/security/throttles.ts';
import * as devices from './devices-store.ts';
import { deviceOf } from './device.ts';
import { emailsIn } from '../emails.ts';
import { recipientOf } from '../people.ts';
import * as store from '../store.ts';

type NoteDeps = Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>;

/** A device that was not used for this long is new again. */
const REMEMBERED_MS = 180 * DAY;

/**
 * Remembers the device; an email goes out when it is new and the person was here before. The first
 * one is no news: it opened the account. To be called before the person counts as seen.
 */
export async function noteNewSignIn(
  deps: NoteDeps,
  tx: Tx,
  actor: Actor,
  visit: { readonly origin: Origin; readonly userAgent: string },
): Promise<void> {
  const { ip } = visit.origin;
  const at = deps.clock();
  const device = deviceOf(visit.userAgent);
  // Kept as a hash with a key: it is to be compared, not to tell where somebody was.
  const words = `${actor.id} ${device} ${neighbourhoodOf(ip)}`;
  const hash = Buffer.from(deps.keys.sign('known device', words), 'base64url');
  if (!(await devices.rememberDevice(tx, actor.id, hash, at))) return;
  const user = await store.findUser(tx, actor.id);
  if (!user || user.last_seen_at === null) return;
  await enqueueEmail(deps, tx, {
    kind: 'new-sign-in',
    to: recipientOf(user),
    content: emailsIn(user.locale).newSignIn(user.name, { device, ip, at }),
  });
}

export function forgetOldDevices(db: Db, now: Date): Promise<number> {
  return devices.deleteDevicesUsedBefore(db, new Date(now.getTime() - REMEMBERED_MS));
}

/** Homes and telephones change their address within their provider's network: /16 and /32. */
function neighbourhoodOf(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':')
    ? network.split(':').slice(0, 2).join(':')
    : network.split('.').slice(0, 2).join('.');
}
