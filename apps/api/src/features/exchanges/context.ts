/** What the actions on an exchange need: dependencies and settings. */
import type { SettingValue } from '@cambist/contract/settings';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Email } from '#features/email/email.ts';
import * as settings from '#features/content/settings/settings.ts';
import { databaseTime } from './store/exchanges.ts';

export interface ExchangeContext extends Deps {
  /** The time for deadlines: the database's, except when the demo desk is seeded. */
  readonly readTime: (db: Db | Tx) => Promise<Date>;
  readonly undoMinutes: number;
  readonly claimMinutes: number;
  readonly maxOpenExchanges: number;
  /** Above these amounts, in major units by currency slug, an approval needs a fresh confirmation. */
  readonly freshApprovalAbove: SettingValue<'security'>['fresh_approval_above'];
  readonly desk: SettingValue<'desk'>;
  readonly termsSlug: string;
  /** An IANA name, for the times in emails. */
  readonly timeZone: string;
  /** Gets an email instead of the outbox. */
  readonly onEmail?: (email: Email) => void;
  /** For the demo desk, whose customers are invented. */
  readonly withoutEmails?: true;
}

export async function openContext(
  deps: Deps,
  readTime: ExchangeContext['readTime'] = databaseTime,
): Promise<ExchangeContext> {
  const general = await settings.read(deps, 'general');
  const desk = await settings.read(deps, 'desk');
  const security = await settings.read(deps, 'security');
  return {
    ...deps,
    readTime,
    undoMinutes: general.undo_minutes,
    claimMinutes: general.claim_minutes,
    maxOpenExchanges: general.max_open_exchanges,
    freshApprovalAbove: security.fresh_approval_above,
    desk,
    termsSlug: general.terms_slug,
    timeZone: general.time_zone,
  };
}

/** Up to this difference, in minor units, a received amount counts as the expected one. */
export function toleranceOf(
  { desk }: Pick<ExchangeContext, 'desk'>,
  send: { readonly slug: string; readonly decimals: number },
): bigint {
  return settings.amountFor(desk.tolerance, send) ?? 0n;
}
