/** Messages for refusals that end by themselves after some time. */
import { waitInWords } from '#lib/format/duration.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';

/** No countdown: a screen reader would read it each second. */
export function tooOftenText(seconds: number | undefined): string {
  return seconds
    ? m.ui_failure_too_often_for({ span: waitInWords(seconds, getLocale()) })
    : m.ui_failure_too_often();
}

export function emailLimitText(seconds: number | undefined): string {
  return seconds
    ? m.ui_failure_email_limit_for({ span: waitInWords(seconds, getLocale()) })
    : m.ui_failure_email_limit();
}
