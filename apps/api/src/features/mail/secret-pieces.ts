/**
 * Hides a letter's secret where a mail server quotes the letter. It may quote the line as it was
 * sent, and the soft breaks of quoted-printable (RFC 2045, 6.7) cut a token in pieces. Pure.
 */

/** Fewer letters of a secret in a row are no help to anybody. */
const SHORTEST_PIECE = 12;

/** The words, with every run of letters that holds a piece of the secret made unreadable. */
export function withoutPieces(words: string, secret: string): string {
  const whole = words.replaceAll(secret, '[secret]');
  return whole.replace(/[\w-]+/g, (run) => (holdsPiece(run, secret) ? '[secret]' : run));
}

function holdsPiece(run: string, secret: string): boolean {
  for (let at = 0; at + SHORTEST_PIECE <= run.length; at += 1) {
    if (secret.includes(run.slice(at, at + SHORTEST_PIECE))) return true;
  }
  return false;
}
