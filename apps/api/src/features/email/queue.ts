/** The queue of emails, and what their secrets are sealed for. */
export const EMAILS = 'emails';
export const SEAL = 'emails';
