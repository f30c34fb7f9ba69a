/** The tables of letters: `07_email.sql`. */
import type { Generated } from 'kysely';
import type { Json, Stamp } from './columns.ts';

export interface LettersTable {
  id: string;
  kind: string;
  recipient: string;
  user_id: string | null;
  locale: string;
  subject: string;
  /** What the letter tells, in words and figures; never what opens something. */
  data: Json<Record<string, unknown>>;
  /** What only the recipient may read, a link's token: sealed, and gone once it is sent. */
  secret: Buffer | null;
  message_id: string;
  state: Generated<'waiting' | 'sent' | 'dead'>;
  attempts: Generated<number>;
  last_error: string | null;
  /**
   * When it is due; while it is being sent, until when others keep away. Null once it is done with, or,
   * while it waits, where it was set aside: nobody sends it until it is taken up.
   */
  next_attempt_at: Date | null;
  /** Its link is of no use afterwards; then it is not sent any more. */
  useful_until: Date | null;
  sent_at: Date | null;
  created_at: Stamp;
  /** Of jobs: whose workers send it. */
  queue: Generated<string>;
  /** The server said that there is no such mailbox. */
  gone: Generated<boolean>;
  /** Deleted as soon as it is sent. */
  fleeting: Generated<boolean>;
}

/** How many letters of a kind an address was written in an hour. */
export interface LetterCountsTable {
  recipient_hash: Buffer;
  kind: string;
  hour: Date;
  written: Generated<number>;
  dropped: Generated<number>;
  /** How many of the dropped ones the log has told of. */
  told: Generated<number>;
}
