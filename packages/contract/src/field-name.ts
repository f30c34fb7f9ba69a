/** What sentences in English call a field by its path: the service writes them, the frontend puts its label in its place. Pure. */

/**
 * `payout_fields.0.card_number` → `card number of payout field 1`; rows are counted from 1, as people do.
 * In time that grows with the path: who calls the service may name one of any length.
 */
export function fieldName(path: string): string {
  const names: string[] = [];
  let words: string[] = [];
  for (const step of path.split('.')) {
    if (/^\d+$/.test(step) && words.length > 0) {
      names.push(rowName(words, Number(step) + 1));
      words = [];
    } else words.push(step);
  }
  const own = spelled(words.join('_'));
  return [...names, ...(own === '' ? [] : [own])].toReversed().join(' of ');
}

/** The same in a sentence that says that it is a field, where nothing else says so. */
export function theField(path: string): string {
  const isInRow = /\.\d+(?:\.|$)/.test(path);
  return isInRow ? fieldName(path) : `${fieldName(path)} field`;
}

function rowName(words: readonly string[], number: number): string {
  const list = spelled(words.join('_'));
  const one = list
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return one === list ? `item ${number} of ${list}` : `${one} ${number}`;
}

function spelled(name: string): string {
  return name.replace(/_+/g, ' ').trim();
}
