/**
 * Hides a letter's secret, or the desk's own, where a mail server quotes what it was sent. It may quote the line as it was
 * sent, and the soft breaks of quoted-printable (RFC 2045, 6.7) cut a token in pieces. Pure.
 */

/** Fewer letters of a secret in a row are no help to anybody. */
const SHORTEST_PIECE = 12;

/** The words, with every run of letters that holds a piece of the secret made unreadable. */
export function withoutPieces(words: string, secret: string): string {
  const whole = words.replaceAll(secret, '[secret]');
  return whole.replace(/[\w-]+/g, (run) => (holdsPiece(run, secret) ? '[secret]' : run));
}

/**
 * The words, without what the desk signs in with: the password wherever it stands, the user name,
 * which may be a part of harmless words, by itself, and both as AUTH PLAIN and AUTH LOGIN carry them.
 */
export function withoutSignIn(
  words: string,
  { username, password }: { readonly username: string; readonly password: string },
): string {
  if (username === '') return words;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user = new RegExp(`(?<![\\w.@-])${RegExp.escape(username)}(?![\\w@-])`, 'gi');
  return [base64(`\0${username}\0${password}`), base64(password), base64(username), password]
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => withoutPieces(clean, secret), words)
    .replaceAll(user, '[secret]');
}

function holdsPiece(run: string, secret: string): boolean {
  for (let at = 0; at + SHORTEST_PIECE <= run.length; at += 1) {
    if (secret.includes(run.slice(at, at + SHORTEST_PIECE))) return true;
  }
  return false;
}
