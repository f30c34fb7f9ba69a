/**
 * A form that unfolds in place of its button. The keyboard goes with it: into
 * the first field when it opens, back to the button when it closes.
 */
import { tick } from 'svelte';

export class Folding {
  open = $state(false);
  #button: HTMLElement | null = null;

  constructor(open = false) {
    this.open = open;
  }

  /** To be put on the button: `{@attach form.button}`. */
  button = (element: HTMLElement): void => {
    this.#button = element;
  };

  /** To be put on the form: `{@attach form.begin}`. */
  begin = (form: HTMLElement): void => {
    form.querySelector<HTMLElement>('input:not([hidden], [type=hidden])')?.focus();
  };

  unfold = (): void => {
    this.open = true;
  };

  /** In the place of the form or the link that does it without script. */
  unfoldInstead = (event: Event): void => {
    event.preventDefault();
    this.unfold();
  };

  foldInstead = (event: Event): void => {
    event.preventDefault();
    void this.fold();
  };

  fold = async (): Promise<void> => {
    this.open = false;
    await tick();
    this.#button?.focus();
  };
}
