/** The queue of emails, and what their secrets are sealed for. */
export const EMAILS = 'emails';
export const SEAL = 'emails';
/** Emails about another mail server, through the one before. */
export const FORMER_SERVER = 'former-mail-server';
