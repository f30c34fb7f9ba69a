/**
 * The keys of the queue. One table feeds the handler, the keys shown on the
 * buttons and the help dialog, so that none of them can promise another key.
 */
import { letterOf, type LetterPress } from '#lib/browser/shortcut-key.ts';

export const deskKeys = {
  next: 'J',
  previous: 'K',
  open: 'O',
  claim: 'C',
  release: 'U',
  approve: 'A',
  reject: 'R',
  complete: 'P',
  record_receipt: 'M',
  reverse_receipt: 'V',
  ask: 'Q',
  refund: 'B',
  pay_refund: 'F',
  return_refund: 'T',
  record_late_receipt: 'L',
  reopen: 'E',
  note: 'N',
  search: '/',
  filter: 'S',
  help: '?',
} as const;
export type DeskCommand = keyof typeof deskKeys;

/** What is asked of a keyboard event, so that the map can be tested without a browser. */
export interface KeyPress extends LetterPress {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
}

export interface KeyPlace {
  /** The key was pressed where people write or choose. */
  readonly inField: boolean;
  /** A dialog is open: what lies behind it must not move. */
  readonly inDialog: boolean;
  /** The person has switched single keys off. */
  readonly off: boolean;
}

const commands = new Map<string, DeskCommand>(
  Object.entries(deskKeys).map(([command, key]) => [key.toLowerCase(), command as DeskCommand]),
);

/** Only moves repeat while the key is held; an action runs once per press. */
const repeatable: readonly DeskCommand[] = ['next', 'previous'];

/** The command of a key press, or null where the key means something else. */
export function commandFor(press: KeyPress, place: KeyPlace): DeskCommand | null {
  if (place.inDialog || press.isComposing || press.altKey) return null;
  if (press.ctrlKey || press.metaKey) return null;
  if (place.inField || place.off) return null;
  const command = commands.get(letterOf(press)) ?? null;
  return command !== null && press.repeat && !repeatable.includes(command) ? null : command;
}

/** Whether an element is one where keys write or choose. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select') !== null;
}
