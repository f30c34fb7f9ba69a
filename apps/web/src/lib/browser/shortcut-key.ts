/** Keyboard shortcuts. Pure. */

export interface LetterPress {
  readonly key: string;
  /** The place on the keyboard: `KeyJ`. */
  readonly code: string;
}

/**
 * The key in lower case. Keyboards of other scripts have the Latin letter in the same place, so the
 * place decides there.
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

/** For a window's keys: saves at Ctrl or Command and S, which would save the page as a file. */
export function atSaveKey(save: () => unknown) {
  return (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
}
