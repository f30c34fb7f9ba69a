/** The files that a first start reads, in `apps/api/seed`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { createCurrency } from '@cambist/contract/currencies';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createPair } from '@cambist/contract/pairs';
import type { Unit } from './rate-walk.ts';

const FOLDER = resolve(import.meta.dirname, '../../seed');

export function readFile(name: string): Buffer {
  return readFileSync(resolve(FOLDER, name));
}

export function readJson<T>(name: string): T {
  return JSON.parse(readFile(name).toString()) as T;
}

/** A file of HTML with its `{{names}}` filled in, as HTML. */
export function readHtml(name: string, values: Readonly<Record<string, string>>): string {
  const text = readFile(name).toString().trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} names {{${key}}}, which there is not.`);
    return value;
  });
}

/** In the order of the desk: every kind, and decimals from 0 to 18. */
export function demoCurrencies() {
  const found =
    readJson<
      { draft: Omit<BodyOf<typeof createCurrency>, 'position' | 'active'>; reserve: string }[]
    >('currencies.json');
  return found.map(({ draft, reserve }, at) => ({
    /** What the desk opens with, in major units. */
    reserve,
    draft: { ...draft, active: true, position: (at + 1) * 10 },
  }));
}

/** All but the rate, which follows from the units. */
export type DemoPair = Omit<BodyOf<typeof createPair>, 'mid_rate' | 'position'>;

/** Pairs, and by unit what it is worth, since all channels of a unit have one mid rate. */
export function demoPairs(): { pairs: DemoPair[]; units: Record<string, Unit> } {
  const { units, defaults, pairs } = readJson<{
    units: Record<string, { value: string; unrest: string }>;
    defaults: Partial<DemoPair>;
    pairs: Partial<DemoPair>[];
  }>('pairs.json');
  return {
    pairs: pairs.map((pair) => ({ ...defaults, ...pair }) as DemoPair),
    units: Object.fromEntries(
      Object.entries(units).map(([unit, { value, unrest }]) => [
        unit,
        { value, unrest: BigInt(unrest) },
      ]),
    ),
  };
}
