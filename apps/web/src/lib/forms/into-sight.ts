/** An attachment: the button that led to this may stand at the end of a long form. */
export function intoSight(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' });
}
