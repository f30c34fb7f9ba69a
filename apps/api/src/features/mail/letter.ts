/** What a letter is: whom it goes to, what it tells, and what only its recipient may read. Pure. */
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Words and figures, never what opens something: they stay in the database and admins may see them. */
export interface LetterContent {
  /** Which language the words are in; English unless said. */
  readonly language?: string;
  readonly subject: string;
  /** What a mailbox shows beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** After the paragraphs, as it stands: HTML that was cleaned, and the same in text. */
  readonly body?: { readonly html: string; readonly text: string };
  readonly facts?: readonly Fact[];
  /** A button. `path` is one of the frontend's, such as `/verify-email`. */
  readonly action?: { readonly label: string; readonly path: string };
  /** A plain link below the button; its address ends in a token that is made when the letter is sent. */
  readonly link?: {
    readonly label: string;
    /** Ends with a slash. */
    readonly path: string;
    /** What the token opens: see platform/signed-id.ts. */
    readonly signs: { readonly purpose: string; readonly id: Id };
    /**
     * Where a mailbox's own button to get no more of these posts to (RFC 8058): a path of the API,
     * with `{token}` for the token.
     */
    readonly oneClick?: string;
  };
  /** Another plain link, whose address opens nothing by itself. */
  readonly more?: { readonly label: string; readonly path: string };
  /** An answer to it reaches the desk's own address. */
  readonly answerable?: true;
  /**
   * A person wrote it to this one reader, or to all of a list; else this service did by itself, and
   * its headers ask machines not to answer.
   */
  readonly writtenBy?: 'person' | 'list';
  /** In small print below everything: what to do if this was not you, until when a link works. */
  readonly note?: string;
  /** What to do at the desk's own address, such as "Write to us at once"; the address is put behind it when the letter is sent. */
  readonly contact?: string;
}

export interface Recipient {
  readonly email: string;
  readonly userId: Id | null;
  readonly name: string;
  readonly locale: string;
  /** Whether it is known that the address is the person's. A stranger's is written little. */
  readonly proved: boolean;
}

/** What became of a letter at last; `bounced`: there is no such mailbox, says the server. */
export type Outcome = 'sent' | 'failed' | 'bounced';

/** Whoever has a queue of their own: puts the words in when a letter is sent, and hears what became of it. */
export interface LettersOwner {
  readonly words: () => Promise<LetterContent>;
  /** In the transaction that notes it. `answer` is what the server said, where it refused. */
  readonly settled: (tx: Tx, outcome: Outcome, answer: string) => Promise<void>;
}

export interface Letter {
  /** Chosen by an owner that knows it by this one; else a new one. */
  readonly id?: Id;
  /** Of jobs, whose handler calls `sendLetter`; else the common one. Such letters are asked for, and not counted. */
  readonly queue?: string;
  /** `verify-address`, `reset-password`: by what it is found in the admin's list. */
  readonly kind: string;
  readonly to: Recipient;
  readonly content: LetterContent;
  /** Put after the action's path as its query `token`: sealed until it is sent, and nowhere else. */
  readonly secret?: string;
  /** Afterwards it is not sent any more. */
  readonly usefulUntil?: Date;
  /** About somebody's money: written however many there are. */
  readonly essential?: true;
  /** To somebody who is to be forgotten: deleted as soon as it is sent. */
  readonly fleeting?: true;
}
