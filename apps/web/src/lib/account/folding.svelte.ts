/**
 * A form that opens in place of its button. The focus moves to its first field when it opens, and back to the
 * button when it closes.
 */
import { tick } from 'svelte';

export class Folding {
  open = $state(false);
  #button: HTMLElement | null = null;

  constructor(open = false) {
    this.open = open;
  }

  /** An attachment for the button. */
  button = (element: HTMLElement): void => {
    this.#button = element;
  };

  /** An attachment for the form. */
  begin = (form: HTMLElement): void => {
    form.querySelector<HTMLElement>('input:not([hidden], [type=hidden])')?.focus();
  };

  unfold = (): void => {
    this.open = true;
  };

  fold = async (): Promise<void> => {
    this.open = false;
    await tick();
    this.#button?.focus();
  };
}
