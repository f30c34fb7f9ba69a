/** Where an email address may break. Pure. */

/** Two characters alone on a line look like a mistake. */
const FEWEST = 3;
/** The width of the narrowest column; longer parts may be divided. */
const MOST = 24;
const DIVIDED = 12;

/**
 * The text in parts between which a line may break, each in pieces for lines that are too short.
 * Only text with an @ is divided.
 */
export function breakable(text: string): string[][] {
  return text
    .split(/(\S*@\S*)/)
    .flatMap((part, index) => (index % 2 === 1 ? parted(part).map(evenly) : [[part]]))
    .filter(([first]) => first !== '');
}

function parted(address: string): string[] {
  const parts: string[] = [];
  let short = '';
  for (const part of address.split(/(?<=[@.])/)) {
    short += part;
    if (short.length < FEWEST) continue;
    parts.push(short);
    short = '';
  }
  return withEnd(short === '' ? parts : joinedEnd([...parts, short]));
}

/** The end of a host, such as "com", stays with the name before it. */
function withEnd(parts: string[]): string[] {
  const isAlone = parts.at(-2)?.endsWith('.') === true && !/[@.]/.test(parts.at(-1) ?? '');
  return isAlone ? joinedEnd(parts) : parts;
}

function joinedEnd(parts: string[]): string[] {
  return [...parts.slice(0, -2), parts.slice(-2).join('')];
}

/** Pieces of similar length, so that none is a single character. */
function evenly(part: string): string[] {
  const signs = [...part];
  if (signs.length <= MOST) return [part];
  const pieces = Math.ceil(signs.length / DIVIDED);
  const cut = (piece: number) => Math.round((signs.length * piece) / pieces);
  return Array.from({ length: pieces }, (_none, piece) =>
    signs.slice(cut(piece), cut(piece + 1)).join(''),
  );
}
