import { m } from '#lib/paraglide/messages.js';

/** The error for a text longer than `most` characters; undefined while it fits. */
export function tooLong(
  text: string | undefined,
  most: number | null | undefined,
): [string] | undefined {
  const count = [...(text ?? '').trim()].length;
  return most && count > most ? [m.ui_field_too_long({ most, count })] : undefined;
}
