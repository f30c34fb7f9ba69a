/**
 * The groups of settings with which somebody could redirect emails or let
 * strangers in: who changes one must have confirmed shortly before who they are.
 */
import { Type } from 'typebox';
import { Amount, Slug, Strict } from './wire.ts';

/** One amount for each currency, in its own unit; each currency once. */
const AmountByCurrency = Type.Array(Strict({ currency: Slug, amount: Amount }), { maxItems: 100 });
const hours = (minimum: number) => Type.Integer({ minimum, maximum: 720 });

/** How the desk works with exchanges and guards its own money. */
export const Desk = Strict({
  /** Approvals and reserve adjustments above need a second operator. */
  second_approver_above: AmountByCurrency,
  /** A received amount that differs by no more counts as paid; the desk bears or keeps the difference. */
  tolerance: AmountByCurrency,
  /** How long a submission keeps its locked rate. */
  rate_hold_hours: hours(0),
  /** How long the customer has to answer a question of the desk. */
  answer_hours: hours(1),
  /** How long a payout waits after its account was changed. */
  payout_change_hours: hours(0),
  /** How long a new or changed payee account waits before customers pay into it. */
  payee_cooling_hours: hours(0),
  /** The unit of limits and figures over all currencies, valued by the desk's own rates. */
  reporting_unit: Type.String({ pattern: '^[A-Z0-9]{2,12}$' }),
  /** What a customer may send over all pairs, in the reporting unit; `0`: no limit. */
  customer_day_limit: Amount,
  customer_month_limit: Amount,
  /** The share of a reserve that a customer without a completed exchange may hold. */
  new_customer_reserve_percent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** What the site shows of a reserve at most. */
  reserve_display_cap: AmountByCurrency,
  /** Below these reserves admins get an email. */
  low_reserve: AmountByCurrency,
  /** After how long a submission that no operator opened is reported. */
  unseen_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
});

export const Security = Strict({
  /** Whether admins must have a second factor; `default` is: everywhere but on a trial desk. */
  two_factor_for_admins: Type.Enum(['default', 'on', 'off'] as const),
  /** Above this amount of what the customer sends, an approval needs a fresh confirmation. */
  fresh_approval_above: AmountByCurrency,
});

/** Their client secrets are secrets of this slug; see `settingSecrets`. */
const Provider = Strict({
  enabled: Type.Boolean(),
  client_id: Type.String({ maxLength: 255, pattern: '^[\\x21-\\x7e]*$' }),
});
export const SignInProviders = Strict({ google: Provider, facebook: Provider });

const MailAddress = Type.String({
  maxLength: 254,
  pattern: '^([^\\s@<>,;:"()[\\]\\\\]+@[^\\s@<>,;:"()[\\]\\\\]+)?$',
});
/** The mail server; `MAIL_URL` and `MAIL_FROM` beat it. Its password is a secret of this slug. */
export const Mail = Strict({
  /** A name or an IP address; empty: none. */
  host: Type.String({ maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: Type.Enum(['tls', 'starttls', 'none'] as const),
  /** Empty: without signing in. */
  username: Type.String({ maxLength: 254 }),
  from_name: Type.String({ maxLength: 100 }),
  /** Empty: `no-reply` at the frontend's host. */
  from_address: MailAddress,
  /** Empty: answers go to the sender. */
  reply_to: MailAddress,
  /** Emails of campaigns handed to the mail server; all others go at once. */
  campaign_emails_per_minute: Type.Integer({ minimum: 1, maximum: 3000 }),
});
