/** What a letter is: whom it goes to, what it tells, and what only its recipient may read. Pure. */
import type { Id } from '#kernel/id.ts';

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

export interface Letter {
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
}
