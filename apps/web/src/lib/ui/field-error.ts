/**
 * Rewrites the API's field errors, which name the field as on the wire ("The email field is
 * required."), for display below its label. Unknown messages stay unchanged.
 */
import { m } from '#lib/paraglide/messages.js';

const rewritten: readonly (readonly [RegExp, (figure: string) => string])[] = [
  [/^The (?:.+ field|.+ of .+ \d+(?: of .+)?) is required\.$/, m.ui_field_missing],
  [/^The selected .+ is invalid\.$/, m.ui_field_choose],
  [/^The .+ must be a valid email address\.$/, m.ui_field_email],
  [/^The .+ must be at least (\d+) characters\.$/, (least) => m.ui_field_too_short({ least })],
  [/^The .+ must not be greater than (\d+) characters\.$/, (most) => m.ui_field_over({ most })],
  [/^The .+ format is invalid\.$/, m.ui_field_unreadable],
  [/^The .+ may have small letters, digits and single hyphens only\.$/, m.ui_field_address],
  [/^The .+ and the marks of an English keyboard only\.$/, m.ui_field_ascii],
  [/^The .+ has already been taken\.$/, m.ui_field_taken],
  [/^The (?:current )?password is not right\.$/, m.ui_field_wrong_password],
];

export function fieldError(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  for (const [pattern, words] of rewritten) {
    const found = pattern.exec(message);
    if (found) return words(found[1] ?? '');
  }
  return message;
}

/** For checkboxes that must be ticked. */
export function tickError(message: string | undefined): string | undefined {
  const unticked = /^The (?:selected .+ is invalid|.+ field is required)\.$/;
  return message !== undefined && unticked.test(message) ? m.ui_field_tick() : fieldError(message);
}
