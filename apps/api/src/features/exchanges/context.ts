/** What the actions on an exchange work with: the application's parts and the desk's settings. */
import type { SettingValue } from '@cambist/contract/settings';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as settings from '#features/content/settings/settings.ts';
import { databaseTime } from './store/exchanges.ts';

export interface ExchangeContext extends Deps {
  /** The time that deadlines are compared with: the database's, unless the demo desk's past is made. */
  readonly readTime: (db: Db | Tx) => Promise<Date>;
  readonly undoMinutes: number;
  readonly claimMinutes: number;
  readonly maxOpenExchanges: number;
  /** Above these amounts, in major units by currency slug, an approval needs a fresh confirmation. */
  readonly freshApprovalAbove: SettingValue<'security'>['fresh_approval_above'];
  /** The desk's, an IANA name, for the times in emails. */
  readonly timeZone: string;
  /** Sends no email: for the past of a demo desk, whose customers are invented. */
  readonly silent?: true;
}

export async function openContext(
  deps: Deps,
  readTime: ExchangeContext['readTime'] = databaseTime,
): Promise<ExchangeContext> {
  const general = await settings.read(deps, 'general');
  const security = await settings.read(deps, 'security');
  return {
    ...deps,
    readTime,
    undoMinutes: general.undo_minutes,
    claimMinutes: general.claim_minutes,
    maxOpenExchanges: general.max_open_exchanges,
    freshApprovalAbove: security.fresh_approval_above,
    timeZone: general.time_zone,
  };
}
