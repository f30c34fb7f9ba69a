/**
 * The groups of settings with which somebody could redirect emails or let
 * strangers in: who changes one must have confirmed shortly before who they are.
 */
import { Type } from 'typebox';
import { Amount, Slug, Strict } from './wire.ts';

export const Security = Strict({
  /** Whether admins must have a second factor; `default` is: everywhere but on a trial desk. */
  two_factor_for_admins: Type.Enum(['default', 'on', 'off'] as const),
  /** Above this amount of what the customer sends, an approval needs a fresh confirmation. */
  fresh_approval_above: Type.Array(Strict({ currency: Slug, amount: Amount }), { maxItems: 100 }),
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
