/**
 * Whom the page in this browser was made for. The session's cookie is the browser's: once somebody
 * else has signed in in another tab, it would do in their account what this page's person pressed.
 * So each write names the person (api.ts, upload.ts; ui/MadeFor.svelte in forms that the browser sends
 * by itself), and another's session refuses it.
 */
import { anotherPerson, personHeader, type Endpoint } from '@cambist/contract/endpoint';
import type { Failure } from './api.ts';

interface Page {
  /** The id of whom the page shows as signed in; null for a guest's page. */
  person(): string | null;
  /** A write was refused, since somebody else is signed in here now. */
  displaced(): void;
  /** Somebody else was found to be signed in here, without a write. */
  met(): void;
  /** Its person is signed in here, who has done a write, or nobody is. */
  present(): void;
}

const nothing = () => undefined;
const nobodys: Page = { person: () => null, displaced: nothing, met: nothing, present: nothing };
let page = nobodys;
/** How often somebody else was met, and the page's person came back. */
let turns = 0;
let isAway = false;

/** To be called once, in the browser, by the outermost layout. */
export function madeFor(made: Page): void {
  page = made;
  isAway = false;
}

/** Counts how often one person's page became another's without a guest between them, who loses nothing. */
export function turnOf(person: () => string | null): () => number {
  let last: string | null = null;
  let turns = 0;
  return () => {
    const now = person();
    if (now !== null && last !== null && now !== last) turns += 1;
    last = now;
    return turns;
  };
}

/** The field of a form that names the person, by id. */
export const personField = 'made_for';

/** Names the person in a write; nobody in a guest's page, and on the server nobody but whom a form named. */
export function personHeaders(named?: string): Record<string, string> {
  const person = named ?? page.person();
  // What comes in a form may be no text for a header.
  return person === null ? {} : { [personHeader]: encodeURIComponent(person) };
}

/** Whether the service refused since somebody else is signed in here now. */
export function isAnother({ code }: Pick<Failure, 'code'>): boolean {
  return code === anotherPerson;
}

/**
 * To be called as something is asked whose answer may show who is here. The answer calls what this
 * gives, which tells nothing where somebody else was met meanwhile, or the page's person came back:
 * the answer may be from before.
 */
export function asked(): (finding?: 'present' | 'met' | 'displaced') => void {
  const before = turns;
  return (finding = 'present') => {
    if (turns !== before) return;
    if (finding !== 'present' || isAway) turns += 1;
    isAway = finding !== 'present';
    page[finding]();
  };
}

/** Tells the page who was found to be signed in here, by id; null for nobody. `tell` comes from `asked`. */
export function found(person: string | null, tell: ReturnType<typeof asked>): void {
  tell(person === null || person === page.person() ? 'present' : 'met');
}

/** Passes a refusal on, and tells the page where somebody else is signed in. `tell` comes from `asked`. */
export function told(failure: Failure, tell: ReturnType<typeof asked>): Failure {
  if (isAnother(failure)) tell('displaced');
  return failure;
}

/**
 * Tells the page of a write that was done. Where a guest may write too, it says nothing of the person.
 * `present` comes from `asked`.
 */
export function tellDone(
  { method, scope }: Pick<Endpoint, 'method' | 'scope'>,
  present: () => void,
): void {
  if (method !== 'GET' && (scope === 'member' || scope === 'admin')) present();
}
