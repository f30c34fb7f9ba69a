/** Where the lines of an e-mail address may break. Pure. */

/** Two signs alone on a line read as a mistake. */
const FEWEST = 3;
/** What fits the narrowest column; longer parts without a sign to break behind are divided. */
const MOST = 24;
const DIVIDED = 12;

/** The text in pieces between which a line may break; only what has an @ in it is divided. */
export function breakable(text: string): string[] {
  return text.split(/(\S*@\S*)/).flatMap((part, index) => (index % 2 === 1 ? divided(part) : part));
}

function divided(address: string): string[] {
  const pieces: string[] = [];
  let short = '';
  for (const piece of address.split(/(?<=[@.])/).flatMap(evenly)) {
    short += piece;
    if (short.length < FEWEST) continue;
    pieces.push(short);
    short = '';
  }
  return short === '' ? pieces : [...pieces.slice(0, -1), (pieces.at(-1) ?? '') + short];
}

/** Parts of about the same length, so that none of them is a rest of one sign. */
function evenly(piece: string): string[] {
  const signs = [...piece];
  if (signs.length <= MOST) return [piece];
  const parts = Math.ceil(signs.length / DIVIDED);
  const cut = (part: number) => Math.round((signs.length * part) / parts);
  return Array.from({ length: parts }, (_none, part) =>
    signs.slice(cut(part), cut(part + 1)).join(''),
  );
}
