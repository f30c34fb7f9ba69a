/**
 * Hides secrets where a mail server quotes what it was sent, also where the soft line breaks of
 * quoted-printable (RFC 2045, 6.7) have cut a token into pieces. Pure.
 */

/** A shorter piece of a secret is of no use to anyone. */
const SHORTEST_PIECE = 12;

/** The text, with every word that holds a piece of the secret replaced. */
export function withoutSecret(text: string, secret: string): string {
  return text
    .replaceAll(secret, '[secret]')
    .replace(/[\w-]+/g, (word) => (holdsPiece(word, secret) ? '[secret]' : word));
}

function holdsPiece(word: string, secret: string): boolean {
  for (let at = 0; at + SHORTEST_PIECE <= word.length; at += 1) {
    if (secret.includes(word.slice(at, at + SHORTEST_PIECE))) return true;
  }
  return false;
}

/**
 * The text, without what the desk signs in with: the password wherever it stands, the user name as
 * a word of its own, and both as AUTH PLAIN and AUTH LOGIN carry them.
 */
export function withoutSignIn(
  text: string,
  { username, password }: { readonly username: string; readonly password: string },
): string {
  if (username === '') return text;
  const base64 = (plain: string) => Buffer.from(plain).toString('base64');
  const user = new RegExp(`(?<![\\w.@-])${RegExp.escape(username)}(?![\\w@-])`, 'gi');
  return [base64(`\0${username}\0${password}`), base64(password), base64(username), password]
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => withoutSecret(clean, secret), text)
    .replaceAll(user, '[secret]');
}
