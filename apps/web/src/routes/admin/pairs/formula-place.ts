/** Where in a formula the service found its mistake. Pure. */

export interface FormulaMistake {
  /** Without the place, which the formula itself shows. */
  readonly message: string;
  /** Characters from the beginning. */
  readonly at: number;
}

/** From `… (At character 9.)`; null where the message names no place. */
export function formulaMistake(message: string | undefined): FormulaMistake | null {
  const found = message?.match(/^(.*\S) \(At character (\d+)\.\)$/s);
  const [, text, place] = found ?? [];
  if (text === undefined || place === undefined) return null;
  return { message: text, at: Math.max(0, Number.parseInt(place, 10) - 1) };
}

/** The formula before the mistake, the word or sign it stands at, and the rest; `at` is '' at the end. */
export function markedFormula(formula: string, at: number) {
  const word = /^(?:[A-Za-z0-9.]+|\S)/u.exec(formula.slice(at))?.[0] ?? '';
  return {
    before: formula.slice(0, at),
    at: word,
    after: formula.slice(at + word.length),
  };
}
