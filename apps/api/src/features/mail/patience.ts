/**
 * How long a mail server is waited for: a short while for each answer, and minutes for the last,
 * which says whether it has the letter. Who hangs up before that one sends the letter again, and
 * the server may have taken both (RFC 5321, 4.5.3.2.6).
 */
import { MINUTE, SECOND } from '#kernel/clock.ts';

/** All that comes before the letter is handed over; a server could take its time for each step. */
const HANDING_OVER_MS = 60 * SECOND;
/** What the RFC asks for. */
const LAST_ANSWER_MS = 10 * MINUTE;
/** When the last answer counts as slow: the letters behind have waited as long for each two before them. */
const SLOW_MS = SECOND;

export interface PatienceOptions {
  /** For one answer. The connection and the greeting are timed by nodemailer. */
  readonly stepMs: number;
  /** For everything, where somebody waits for it. */
  readonly longestMs?: number | undefined;
  /** Called when the server has the letter and does not say at once whether it takes it. */
  readonly onSlow?: (() => void) | undefined;
}

export interface Patience {
  /** Aborts, with words for an admin, when it has ended. */
  readonly signal: AbortSignal;
  /**
   * Hears from nodemailer, which has one limit for all answers and counts bytes as answers, how far
   * it is: `server` is a whole answer, `message` says that the last byte of the letter went out.
   */
  readonly logger: { log(entry: { readonly tnx?: string }): void };
  end(): void;
}

export function openPatience({ stepMs, longestMs = Infinity, onSlow }: PatienceOptions): Patience {
  const given = new AbortController();
  const began = Date.now();
  let isHandedOver = false;
  const giveUp = () => given.abort(new Error(wordsAt(isHandedOver)));
  let step: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;
  let whole = setTimeout(giveUp, Math.min(HANDING_OVER_MS, longestMs));
  const end = () => [step, slow, whole].forEach((timer) => clearTimeout(timer));

  function log({ tnx }: { readonly tnx?: string }): void {
    if (isHandedOver || given.signal.aborted) return;
    if (tnx === 'server') {
      clearTimeout(step);
      step = setTimeout(giveUp, stepMs);
    } else if (tnx === 'message') {
      isHandedOver = true;
      end();
      const leftMs = longestMs - (Date.now() - began);
      whole = setTimeout(giveUp, Math.min(LAST_ANSWER_MS, leftMs));
      if (onSlow) slow = setTimeout(onSlow, SLOW_MS);
    }
  }
  return { signal: given.signal, logger: { log }, end };
}

function wordsAt(isHandedOver: boolean): string {
  return isHandedOver
    ? 'The mail server has had the letter and did not say in time whether it takes it. It may arrive all the same.'
    : 'The mail server did not answer in time.';
}

/** No inactivity counts before this: the limits are ours. */
export const SOCKET_IDLE_MS = LAST_ANSWER_MS + MINUTE;
