/** The files that a first start reads, in `apps/api/seed`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { createCurrency } from '@cambist/contract/currencies';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createPair } from '@cambist/contract/pairs';

const FOLDER = resolve(import.meta.dirname, '../../seed');

export function readFile(name: string): Buffer {
  return readFileSync(resolve(FOLDER, name));
}

export function readJson<T>(name: string): T {
  return JSON.parse(readFile(name).toString()) as T;
}

/** A file of HTML or SVG with its `{{names}}` filled in, as they are. */
export function readHtml(name: string, values: Readonly<Record<string, string>>): string {
  const text = readFile(name).toString().trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} names {{${key}}}, which there is not.`);
    return value;
  });
}

interface DemoCurrency {
  readonly draft: Omit<BodyOf<typeof createCurrency>, 'position' | 'active'>;
  /** What the desk opens with, in major units. */
  readonly reserve: string;
}

/** In the order of the desk: every kind, and decimals from 0 to 18. */
export function demoCurrencies() {
  return readJson<DemoCurrency[]>('currencies.json').map(({ draft, reserve }, at) => ({
    reserve,
    draft: { ...draft, active: true, position: (at + 1) * 10 },
  }));
}

/** All but the rate, which follows from the units. */
export type DemoPair = Omit<BodyOf<typeof createPair>, 'mid_rate' | 'position'>;

/** What one of it is worth in dollars, and how far that moves in a week, in millionths. */
export interface Unit {
  readonly value: string;
  readonly swing: number;
}

interface DemoPairs {
  readonly units: Readonly<Record<string, Unit>>;
  readonly defaults: Partial<DemoPair>;
  readonly pairs: readonly Partial<DemoPair>[];
}

export function demoPairs() {
  const { units, defaults, pairs } = readJson<DemoPairs>('pairs.json');
  return { units, pairs: pairs.map((pair) => ({ ...defaults, ...pair }) as DemoPair) };
}
