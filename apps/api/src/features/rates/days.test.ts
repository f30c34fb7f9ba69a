/**
 * Days of hourly runs with providers that err, lie, stand still and fall silent, and an admin who answers late.
 * Who has claimed several things and falls silent is rare in these worlds: that claims are no chorus is held
 * by `claims.test.ts`, that they are one word and what a yes to one speaks against by `contradicted.test.ts`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { DeskOfDays } from '#test/rate-days.ts';
import { says } from './comparison.ts';
import type { Heard } from './law.ts';

/** Units of each for one euro. */
const usual = { EUR: 1, USD: 1.3, GBP: 0.88, JPY: 165, BTC: 0.00002, AED: 4.77 };
type Unit = keyof typeof usual;
const units = Object.keys(usual) as Unit[];
const PAIRS = units.length * (units.length - 1);

const homes = { fixer: ['EUR'], openexchangerates: ['USD'], coingecko: ['USD', 'EUR'] } as const;
type Provider = keyof typeof homes;
const orders: readonly (readonly Provider[])[] = [
  ['fixer', 'openexchangerates', 'coingecko'],
  ['openexchangerates', 'fixer', 'coingecko'],
  ['coingecko', 'fixer', 'openexchangerates'],
  ['coingecko', 'openexchangerates', 'fixer'],
];
const faults: readonly ((rate: number) => number)[] = [
  (rate) => rate * 1000,
  (rate) => rate / 1000,
  (rate) => rate * 1.15,
  (rate) => rate * 0.85,
  (rate) => rate * 0.5,
  (rate) => 1 / rate,
];
/** Two witnesses may differ by 2 %, and each is a little off by itself. */
const TOLERANCE = 1.03;

/** mulberry32: the same days for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Fault {
  readonly unit: Unit;
  readonly spoil: (rate: number) => number;
}

/** The world of one seed: what is true, and what each provider makes of it. */
class World {
  readonly chance: () => number;
  readonly order: readonly Provider[];
  readonly desk: DeskOfDays;
  readonly #wrong = new Map<Provider, readonly Fault[]>();
  readonly #silent = new Set<Provider>();
  readonly #nothing = new Map<Provider, Unit>();
  /** Those that were asked in the last run, and of which unit they said nothing. */
  readonly #mute = new Map<string, (unit: string) => boolean>();

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    this.order = this.pick(orders);
    this.desk = new DeskOfDays(units, this.order);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.chance() * list.length)] as T;
  }

  /** For the next hours some providers are down, and some give figures that are wrong. */
  turn(): void {
    this.calm();
    for (const provider of this.order) {
      if (this.chance() < 0.25) this.#silent.add(provider);
      if (this.chance() < 0.25) this.#nothing.set(provider, this.pick(units));
      if (this.chance() > 0.45) continue;
      const count = this.chance() < 0.3 ? 3 : 1;
      const wrong = Array.from({ length: count }, () => {
        return { unit: this.pick(units), spoil: this.pick(faults) };
      });
      this.#wrong.set(provider, wrong);
    }
  }

  calm(): void {
    this.#silent.clear();
    this.#nothing.clear();
    this.#wrong.clear();
  }

  readonly ask = (name: string): Heard | null => {
    const provider = name as Provider;
    const isSilent = this.#silent.has(provider);
    this.#mute.set(name, (unit) => isSilent || this.#nothing.get(provider) === unit);
    if (isSilent) return null;
    const isOfCoins = provider === 'coingecko';
    const asOf = new Date(this.desk.now - 10 * MINUTE);
    const rates = homes[provider].flatMap((base) =>
      units
        .filter((unit) => unit !== base && isOfCoins === (unit === 'BTC'))
        .map((unit) => {
          const off = (this.#wrong.get(provider) ?? []).filter((each) => each.unit === unit);
          const value = off.reduce((rate, { spoil }) => spoil(rate), worth(base, unit));
          const said = value * (1 + (this.chance() - 0.5) * 0.004);
          const isNothing = this.#nothing.get(provider) === unit;
          const rate = isNothing ? '0' : (isOfCoins ? 1 / said : said).toFixed(18);
          return { unit, base, rate, inverted: isOfCoins, asOf };
        }),
    );
    return { provider, label: name, feed: 'hourly', rates, heardAt: new Date(this.desk.now) };
  };

  /** The admin looks each rate up elsewhere, and is always right. */
  answer(share: number): void {
    for (const { unit, base, rate, inverted } of this.desk.waiting.values()) {
      if (this.chance() > share) continue;
      const value = inverted ? 1 / Number(rate) : Number(rate);
      this.desk.decide(unit, isRight(value, worth(base as Unit, unit as Unit)));
    }
  }

  /** Questions that a run ended, or left without a yes, though who asked them said nothing of them. */
  lost(): string[] {
    const { desk } = this;
    const before = [...desk.waiting.values()];
    this.#mute.clear();
    desk.run(this.ask);
    const after = [...desk.waiting.values()];
    return before
      .filter(({ provider, unit }) => this.#mute.get(provider)?.(unit))
      .filter((row) => {
        const kept = desk.waiting.get(row.unit);
        if (kept === undefined) return !says(after, row);
        // In terms of a unit whose jump waits it says nothing of others.
        if (kept.reason !== 'contradicted' || desk.waiting.has(kept.base)) return false;
        const isRecent = desk.now - kept.asOf.getTime() <= 3 * HOUR;
        return isRecent && desk.isOvertaken(kept);
      })
      .map(({ unit, base, provider, reason }) => `${unit}/${base} ${provider} ${reason}`);
  }

  wrong(): string[] {
    return [...this.desk.onSale()]
      .filter(([pair, rate]) => {
        const [from, to] = pair.split('>') as [Unit, Unit];
        return !isRight(rate, worth(from, to));
      })
      .map(([pair, rate]) => `${pair} at ${rate}`);
  }
}

const worth = (base: Unit, unit: Unit) => usual[unit] / usual[base];
const isRight = (one: number, other: number) => Math.max(one / other, other / one) < TOLERANCE;

describe('a desk among providers that err and fall silent', () => {
  it('sells at no wrong rate that nobody said yes to, and goes on once all is well', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const world = new World(seed);
      const { desk } = world;
      const hours = (count: number, hour: (index: number) => void) => {
        for (let index = 0; index < count; index += 1) {
          hour(index);
          desk.now += HOUR;
        }
      };
      hours(2, () => desk.run(world.ask));
      assert.equal(desk.onSale().size, PAIRS, `seed ${seed} begins`);
      hours(24, (hour) => {
        if (hour % 3 === 0) world.turn();
        assert.deepEqual(world.lost(), [], `seed ${seed}, hour ${hour}`);
        assert.deepEqual(world.wrong(), [], `seed ${seed}, hour ${hour}`);
        world.answer(0.4);
        assert.deepEqual(world.wrong(), [], `seed ${seed}, hour ${hour}, after the answers`);
      });
      world.calm();
      hours(4, () => {
        desk.run(world.ask);
        world.answer(1);
      });
      desk.now -= HOUR;
      assert.equal(desk.onSale().size, PAIRS, `seed ${seed} ends`);
    }
  });
});
