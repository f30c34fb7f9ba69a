/**
 * Pure: a rate as a formula of market rates, `btc/usd * 1.01 + 5`, where `a/b` is units of b for one
 * a. Computed with exact fractions and rounded down once. Errors have their place in the text.
 */
import { parseDecimal } from '@cambist/money/decimal';
import { fraction, minus, over, plus, times, type Fraction } from '@cambist/money/fraction';
import {
  findPath,
  fractionOf,
  marketRate,
  type AcceptedRate,
  type Market,
  type MarketRate,
} from './cross.ts';

/** Bounds the nesting and the computation too. */
export const FORMULA_LENGTH = 200;

/** A parsed formula; `at` is the place in its text, from 0. */
export type Formula =
  | { readonly kind: 'number'; readonly value: Fraction }
  | { readonly kind: 'cross'; readonly from: string; readonly to: string; readonly at: number }
  | {
      readonly kind: 'operation';
      readonly sign: Sign;
      readonly left: Formula;
      readonly right: Formula;
      readonly at: number;
    };

type Sign = '+' | '-' | '*' | '/';

export interface FormulaError {
  readonly ok: false;
  /** Characters from the beginning. */
  readonly at: number;
  readonly message: string;
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly kind: 'number' | 'word' | 'sign' | 'end';
}

/** Thrown inside; `orError` turns it into a result. */
class FormulaFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

export function parseFormula(
  text: string,
): { readonly ok: true; readonly formula: Formula } | FormulaError {
  return orError(() => {
    if (text.length > FORMULA_LENGTH)
      throw new FormulaFault(FORMULA_LENGTH, `A formula has at most ${FORMULA_LENGTH} characters.`);
    const tokens = tokensOf(text);
    const formula = readSum(tokens);
    const rest = tokens.next();
    if (rest.kind !== 'end')
      throw new FormulaFault(rest.at, `A sign such as + or * is expected before "${rest.text}".`);
    return { ok: true, formula } as const;
  });
}

/** In upper case, each once. */
export function formulaUnits(formula: Formula): string[] {
  switch (formula.kind) {
    case 'number':
      return [];
    case 'cross':
      return [formula.from, formula.to];
    case 'operation':
      return [...new Set([...formulaUnits(formula.left), ...formulaUnits(formula.right)])];
  }
}

/** An error where the market lacks a part, or the result is not a valid rate. */
export function evaluateFormula(
  formula: Formula,
  market: Market,
): { readonly ok: true; readonly rate: MarketRate } | FormulaError {
  return orError(() => {
    const parts: AcceptedRate[] = [];
    const value = valueOf(formula, market, parts);
    if (value.numerator <= 0n)
      throw new FormulaFault(0, 'The result of the formula is zero or negative.');
    const rate = marketRate(market, value, parts);
    if (rate === null)
      throw new FormulaFault(0, 'The result of the formula is too small or too large.');
    return { ok: true, rate: rate.source === '' ? { ...rate, source: 'formula' } : rate } as const;
  });
}

function orError<T>(work: () => T): T | FormulaError {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    return { ok: false, at: error.at, message: error.message };
  }
}

interface Tokens {
  peek(): Token;
  next(): Token;
}

function tokensOf(text: string): Tokens {
  const tokens: Token[] = [];
  for (const { 0: found, index: at } of text.matchAll(/\s+|[A-Za-z0-9.]+|[^]/gu)) {
    if (/^\s/.test(found)) continue;
    if (/^\d+(\.\d+)?$/.test(found)) tokens.push({ text: found, at, kind: 'number' });
    else if (/^[A-Za-z0-9]{2,12}$/.test(found)) tokens.push({ text: found, at, kind: 'word' });
    else if (/^[-+*/()]$/.test(found)) tokens.push({ text: found, at, kind: 'sign' });
    else
      throw new FormulaFault(
        at,
        `"${found}" is neither a number, a unit such as usd, nor one of + - * / ( ).`,
      );
  }
  let place = 0;
  const end: Token = { text: '', at: text.length, kind: 'end' };
  const peek = () => tokens[place] ?? end;
  return {
    peek,
    next() {
      const token = peek();
      place += 1;
      return token;
    },
  };
}

function readSum(tokens: Tokens): Formula {
  return readOperations(tokens, ['+', '-'], readProduct);
}

function readProduct(tokens: Tokens): Formula {
  return readOperations(tokens, ['*', '/'], readPart);
}

function readOperations(
  tokens: Tokens,
  signs: readonly Sign[],
  readSide: (tokens: Tokens) => Formula,
): Formula {
  let left = readSide(tokens);
  for (;;) {
    const { text, at } = tokens.peek();
    const sign = signs.find((each) => each === text);
    if (sign === undefined) return left;
    tokens.next();
    left = { kind: 'operation', sign, left, right: readSide(tokens), at };
  }
}

function readPart(tokens: Tokens): Formula {
  const token = tokens.next();
  if (token.kind === 'number') return { kind: 'number', value: numberOf(token) };
  if (token.kind === 'word') return readCross(token, tokens);
  if (token.text === '(') {
    const inside = readSum(tokens);
    if (tokens.next().text !== ')')
      throw new FormulaFault(token.at, 'This parenthesis is not closed.');
    return inside;
  }
  throw new FormulaFault(
    token.at,
    'A number, a cross such as btc/usd or an opening parenthesis is expected here.',
  );
}

function readCross({ text, at }: Token, tokens: Tokens): Formula {
  const slash = tokens.next();
  const to = slash.text === '/' ? tokens.next() : null;
  if (to?.kind !== 'word')
    throw new FormulaFault(
      at,
      `"${text}" alone is no rate: write a cross such as ${text}/${text.toLowerCase() === 'usd' ? 'eur' : 'usd'}.`,
    );
  return { kind: 'cross', from: text.toUpperCase(), to: to.text.toUpperCase(), at };
}

function numberOf({ text, at }: Token): Fraction {
  if (text.length > 60) throw new FormulaFault(at, 'A number has at most 60 digits.');
  return fraction(parseDecimal(text));
}

/** The denominator is positive. Adds the used rates to `parts`. */
function valueOf(formula: Formula, market: Market, parts: AcceptedRate[]): Fraction {
  if (formula.kind === 'number') return formula.value;
  if (formula.kind === 'cross') {
    const path = findPath(market, formula.from, formula.to);
    if (path === null)
      throw new FormulaFault(
        formula.at,
        `The market has no rate for ${formula.from.toLowerCase()}/${formula.to.toLowerCase()}.`,
      );
    parts.push(...path.map(({ rate }) => rate));
    return fractionOf(path);
  }
  const [a, b] = [valueOf(formula.left, market, parts), valueOf(formula.right, market, parts)];
  return combine(formula.sign, a, b, formula.at);
}

function combine(sign: Sign, a: Fraction, b: Fraction, at: number): Fraction {
  switch (sign) {
    case '+':
      return plus(a, b);
    case '-':
      return minus(a, b);
    case '*':
      return times(a, b);
    case '/':
      if (b.numerator === 0n) throw new FormulaFault(at, 'The formula divides by zero here.');
      return over(a, b);
  }
}
