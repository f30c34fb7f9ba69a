/**
 * Pure: the patterns of fields. They run on customers' input, so only a subset of regular
 * expressions is accepted, in which the number of ways to match is bounded and small.
 */

/** Answers have at most 300 characters. */
const UNBOUNDED = 300;
/** Ways times length stays under a tenth of a second. */
const MAX_WAYS = 100_000;

/** The error of the pattern, as the end of a sentence; null for a valid one. */
export function patternError(pattern: string): string | null {
  const complaint = new Reader(pattern).read();
  if (complaint !== null) return complaint;
  try {
    compile(pattern);
    return null;
  } catch {
    return 'is not a regular expression';
  }
}

/** Whether the whole text matches. The pattern must have passed `patternError`. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern).test(text);
}

function compile(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}

/** `ways`: the maximum of attempts to match. `fixed`: there is only one. */
interface Part {
  readonly ways: number;
  readonly fixed: boolean;
}

class TooComplex extends Error {}

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): string | null {
    try {
      const { ways } = this.#alternatives();
      if (this.#at < this.#pattern.length) return 'has a bracket too many';
      return ways > MAX_WAYS ? 'can match in too many ways; use exact counts such as {10}' : null;
    } catch (error) {
      if (error instanceof TooComplex) return error.message;
      throw error;
    }
  }

  /** `a|b|c` up to a closing bracket or the end. */
  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y)) parts.push(this.#sequence());
    const ways = parts.reduce((sum, part) => sum + part.ways, 0);
    return { ways, fixed: parts.length === 1 && (parts[0]?.fixed ?? true) };
  }

  #sequence(): Part {
    let ways = 1;
    let fixed = true;
    while (this.#at < this.#pattern.length && !this.#sees('|)')) {
      const part = this.#repeated();
      ways *= part.ways;
      fixed &&= part.fixed;
    }
    return { ways, fixed };
  }

  #repeated(): Part {
    const atom = this.#atom();
    const counts = this.#counts();
    if (counts === null) return atom;
    const [least, most] = counts;
    // The ways of a repeated group would multiply without bound.
    if (most > 1 && !atom.fixed)
      throw new TooComplex('repeats a group that can itself match in several ways');
    return { ways: atom.ways * (most - least + 1), fixed: atom.fixed && least === most };
  }

  #counts(): readonly [number, number] | null {
    if (this.#take(/\?/y)) return [0, 1];
    if (this.#take(/[*+]/y)) return [0, UNBOUNDED];
    const found = this.#take(/\{(\d{1,3})(,(\d{0,3}))?\}/y);
    if (found === null) return null;
    const least = Number.parseInt(found[1] ?? '0', 10);
    if (found[2] === undefined) return [least, least];
    return [least, found[3] ? Number.parseInt(found[3], 10) : UNBOUNDED];
  }

  #atom(): Part {
    const once = { ways: 1, fixed: true };
    if (this.#take(/\((?:\?:)?(?!\?)/y)) {
      const group = this.#alternatives();
      if (!this.#take(/\)/y)) throw new TooComplex('has a bracket too few');
      return group;
    }
    if (this.#take(/\[\^?(?:\\[^\n]|[^\]\\])+\]/y)) return once;
    if (this.#take(/\\[dDwWsS^$\\.*+?()[\]{}|/-]/y) || this.#take(/[^\\[\](){}*+?|]/y)) return once;
    throw new TooComplex(`may not use "${this.#pattern.slice(this.#at, this.#at + 4)}"`);
  }

  #sees(characters: string): boolean {
    return characters.includes(this.#pattern[this.#at] ?? ' ');
  }

  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at = expression.lastIndex;
    return found;
  }
}
