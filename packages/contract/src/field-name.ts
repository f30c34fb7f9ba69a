/** Names of fields in messages; the frontend replaces them by its labels. Pure. */

/**
 * `payout_fields.0.card_number` → `card number of payout field 1`, in linear time: callers may send any path.
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

/** With the word "field", unless the name says that it is one. */
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
