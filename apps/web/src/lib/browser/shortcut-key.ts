/** Which letter a key press means, so that it can be asked without a browser. Pure. */

export interface LetterPress {
  readonly key: string;
  /** The place on the keyboard: `KeyJ`. */
  readonly code: string;
}

/**
 * The key as written, in lower case. Keyboards of other scripts have the letter
 * at the same place, so there the place decides.
 */
export function letterOf({ key, code }: LetterPress): string {
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  const foreign = key.length === 1 && key.charCodeAt(0) > 0x7f;
  return (foreign && place ? place : key).toLowerCase();
}

type SearchPress = LetterPress &
  Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'>;

/** Ctrl or Command and K, pressed once. */
export function isSearchKey(press: SearchPress): boolean {
  const { ctrlKey, metaKey, altKey, repeat, isComposing } = press;
  if (altKey || repeat || isComposing) return false;
  return (ctrlKey || metaKey) && letterOf(press) === 'k';
}
