/** Why an email was not sent, in plain words: made of what the network or the server said. Pure but for the words. */
import { blamedBy } from '@cambist/contract/smtp-answers';
import { m } from '#lib/paraglide/messages.js';

const troubles: readonly (readonly [RegExp, () => string])[] = [
  [/\b(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL|EDNS)\b/, m.mail_trouble_name],
  [/\bECONNREFUSED\b/, m.mail_trouble_refused],
  [/\b(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)\b/, m.mail_trouble_unreachable],
  [
    /certificate|altnames|\bTLS\b|\bSSL\b|STARTTLS|wrong version number/i,
    m.mail_trouble_encryption,
  ],
  [/\b(ETIMEDOUT|ETIMEOUT)\b|timed? ?out|greeting never received|abort/i, m.mail_trouble_slow],
  [/\b(ECONNRESET|EPIPE)\b|socket close|connection closed|hang up/i, m.mail_trouble_cut],
  [/\bEAUTH\b|invalid login|missing credentials|\b(530|534|535)[ -]/i, m.mail_trouble_sign_in],
  [/\band no password\b/, m.mail_trouble_password],
  [/(^|: )4\d\d[ -]/, m.mail_trouble_later],
];

/** What the server said itself, word for word, in what was made of it; null for words of ours or of the network. */
export function saidByServer(answer: string): string | null {
  return /(?:^|: )([2-5]\d\d[ -].*)/s.exec(answer)?.[1] ?? null;
}

/** Null for words that need no translation. `answer`: an error's message or a server's answer. */
export function mailTrouble(answer: string): string | null {
  const found = troubles.find(([pattern]) => pattern.test(answer))?.[1];
  if (found !== undefined) return found();
  const line = saidByServer(answer);
  if (!line?.startsWith('5')) return null;
  return blamedBy(line) === 'sender' ? m.mail_trouble_sender() : m.mail_trouble_rejected();
}
