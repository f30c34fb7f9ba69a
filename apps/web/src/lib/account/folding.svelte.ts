/**
 * A form that unfolds in place of its button. The keyboard goes with it: into
 * the first field when it opens, back to the button when it closes.
 */
import { tick } from 'svelte';

export class Folding {
  open = $state(false);
  #button: HTMLElement | null = null;

  /** To be put on the button: `{@attach form.button}`. */
  button = (element: HTMLElement): void => {
    this.#button = element;
  };

  /** To be put on the form: `{@attach form.begin}`. */
  begin = (form: HTMLElement): void => {
    form.querySelector<HTMLElement>('input:not([hidden])')?.focus();
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
