/**
 * Whether single keys act. People who speak to their computer, or whose hands
 * slip, must be able to switch them off (WCAG 2.1.4); the browser remembers it.
 */
const storageKey = 'desk-keys';

class KeySwitch {
  off = $state(false);

  /** Called in the browser, since the server does not know the choice. */
  recall(): void {
    this.off = localStorage.getItem(storageKey) === 'off';
  }

  set(off: boolean): void {
    this.off = off;
    localStorage.setItem(storageKey, off ? 'off' : 'on');
  }
}

export const keySwitch = new KeySwitch();
