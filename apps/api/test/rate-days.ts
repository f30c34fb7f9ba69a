/**
 * A desk's rates over many days, in memory: what runs, decisions and pairs remember from one hour to the
 * next around the pure judge. The database's own writing is tested elsewhere; here hours are cheap.
 */
import { doubtsOf, waitingAmong } from '#features/market/awaited.ts';
import { cross, exactCross, marketOf, type BelievedRate } from '#features/market/market.ts';
import { heardAgain, standing } from '#features/rates/claims.ts';
import { differ, fractionFor, isSameQuestion, says } from '#features/rates/comparison.ts';
import { judge } from '#features/rates/judge.ts';
import type { Heard, Jump, Law, Outvoted } from '#features/rates/law.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { law } from './judging.ts';

type Provider = Heard['provider'];
type Decided = Jump & { readonly accepted: boolean; readonly at: number };

/** What a pair of units is sold at. */
interface Sold {
  readonly rate: number;
  readonly awaits: readonly string[];
  readonly endsAt: number;
}

const STALE_MS = 180 * MINUTE;
const WORD_MS = 7 * DAY;

export class DeskOfDays {
  now = Date.parse('2026-03-14T12:00:00Z');
  readonly waiting = new Map<string, Jump>();
  #rates: readonly BelievedRate[] = [];
  #past: readonly { readonly at: number; readonly rate: BelievedRate }[] = [];
  #decided: readonly Decided[] = [];
  readonly #sold = new Map<string, Sold>();
  readonly #units: readonly string[];
  readonly #order: readonly Provider[];

  constructor(units: readonly string[], order: readonly Provider[]) {
    this.#units = units;
    this.#order = order;
  }

  /** One hourly run: the next provider is asked where something lacks. Null is no answer. */
  run(ask: (provider: Provider) => Heard | null): void {
    const heard: Heard[] = [];
    const [asked, silent] = [new Set<string>(), new Set<string>()];
    const waiting = [...this.waiting.values()];
    const contradicting = waiting.filter(isContradicted).map(({ provider }) => provider);
    for (const provider of this.#order) {
      const { accepted, lacking } = judge(heard, this.#law());
      const isEnough = accepted.length > 0 && lacking.length === 0;
      if (isEnough && !contradicting.includes(provider)) continue;
      const answer = ask(provider);
      asked.add(provider);
      if (answer === null) silent.add(provider);
      else heard.push(answer);
    }
    const law = { ...this.#law(), silent };
    const claims = standing({ waiting, law }, heard, { asked, silent });
    const listed = this.#order.map((name) => ({ name, feed: 'hourly' }) as const);
    const again = heardAgain(heard, claims.filter(isContradicted), listed, law.now);
    const { accepted, jumps } = judge(again, law);
    this.#keep(accepted, jumps, new Set(claims.map(({ unit }) => unit)));
    this.#write(accepted);
  }

  /** What is on sale, by `EUR>USD`: neither in doubt nor too old. */
  onSale(): Map<string, number> {
    const live = [...this.#sold].filter(
      ([, { awaits, endsAt }]) => awaits.length === 0 && this.now <= endsAt,
    );
    return new Map(live.map(([pair, { rate }]) => [pair, rate]));
  }

  decide(unit: string, accepted: boolean): void {
    const jump = this.waiting.get(unit);
    if (jump === undefined || (accepted && this.#isOutdated(jump))) return;
    this.waiting.delete(unit);
    this.#decided = [...this.#decided, { ...jump, accepted, at: this.now }];
    if (accepted) this.#past = this.#past.filter(({ rate }) => rate.unit !== unit);
    this.#write(accepted ? [believedFrom(jump)] : []);
  }

  /** Whether a yes is refused, since what it speaks against has been confirmed anew. */
  isOvertaken(jump: Jump): boolean {
    const known = exactCross(this.#market(), jump.base, jump.unit);
    return known !== null && differ(known, fractionFor(jump)) && this.#isOutdated(jump);
  }

  /** Then something newer is believed: the service refuses a yes, and the question stays. */
  #isOutdated(jump: Jump): boolean {
    const believed = believedFrom(jump);
    const others = this.#rates.filter((rate) => rate.unit !== jump.unit);
    const last = this.#rates.find((rate) => rate.unit === jump.unit);
    const isOlder = last !== undefined && last.confirmedAt > jump.seenAt;
    return isOlder || marketOf([...others, believed], jump.seenAt).redundant.includes(believed);
  }

  #market(rates = this.#rates) {
    return marketOf(rates, new Date(this.now), [...this.waiting.values()]);
  }

  #law(): Law {
    const sold = [...this.#sold].map(([pair, { rate }]) => soldAt(pair, rate, this.now));
    return law([], {
      market: this.#market(),
      now: new Date(this.now),
      dayAgo: [marketOf(this.#ago(DAY), new Date(this.now - DAY))],
      twoDaysAgo: marketOf(this.#known(2 * DAY), new Date(this.now - 2 * DAY)),
      needed: new Set(this.#units),
      order: this.#order,
      outvoted: this.#outvoted(),
      sold,
    });
  }

  /** What was believed so long ago, and the first of what was not known then. */
  #ago(ms: number): BelievedRate[] {
    const known = this.#known(ms);
    const others = this.#units.filter((unit) => !known.some((rate) => rate.unit === unit));
    const firsts = others.map((unit) => this.#past.find(({ rate }) => rate.unit === unit)?.rate);
    return [...known, ...firsts.filter((rate) => rate !== undefined)];
  }

  #known(ms: number): BelievedRate[] {
    return this.#units.flatMap((unit) => {
      const last = this.#past.findLast(({ at, rate }) => rate.unit === unit && at <= this.now - ms);
      return last ? [last.rate] : [];
    });
  }

  #outvoted(): Outvoted[] {
    const yeses: Decided[] = [];
    return this.#decided.toReversed().flatMap((row): Outvoted[] => {
      const { unit, base, inverted, provider, rate, accepted, at } = row;
      if (at <= this.now - WORD_MS || yeses.some((yes) => isSameQuestion(yes, row))) return [];
      const edge = { unit, base, inverted, provider };
      if (!accepted) return [{ ...edge, rate, whose: 'its', isExact: row.reason === 'drift' }];
      yeses.push(row);
      const former = row.former ?? row.previous;
      return former === null ? [] : [{ ...edge, rate: former, whose: 'others', accepted: rate }];
    });
  }

  #keep(accepted: readonly BelievedRate[], jumps: readonly Jump[], kept: Set<string>): void {
    const asked = new Set(jumps.map(({ unit }) => unit));
    const market = marketOf(accepted, new Date(this.now));
    for (const row of this.waiting.values()) {
      const { unit, base } = row;
      const isBelieved =
        accepted.some((each) => each.unit === unit) || exactCross(market, base, unit) !== null;
      const isOver = says(jumps, row) || (isBelieved && !kept.has(unit));
      if (isOver && !asked.has(unit)) this.waiting.delete(unit);
    }
    for (const jump of jumps) this.waiting.set(jump.unit, jump);
  }

  #write(rates: readonly BelievedRate[]): void {
    const units = new Set(rates.map(({ unit }) => unit));
    const kept = [...this.#rates.filter(({ unit }) => !units.has(unit)), ...rates];
    const { redundant } = this.#market(kept);
    const left = kept.filter((rate) => !redundant.includes(rate));
    this.#past = [...this.#past, ...rates.map((rate) => ({ at: this.now, rate }))];
    const doubts = doubtsOf(this.#market(left));
    this.#rates = left.map((rate) => ({
      ...rate,
      awaits: doubts.filter(({ unit }) => unit === rate.unit).map(({ awaited }) => awaited),
    }));
    this.#flow();
  }

  #flow(): void {
    const market = this.#market();
    for (const from of this.#units) {
      for (const to of this.#units) {
        const pair = `${from}>${to}`;
        const found = from === to ? null : cross(market, from, to);
        const last = this.#sold.get(pair);
        if (found !== null) {
          const rate = Number(found.rate.units) / 10 ** found.rate.scale;
          const endsAt = Math.min(
            found.freshUntil.getTime(),
            found.confirmedAt.getTime() + STALE_MS,
          );
          this.#sold.set(pair, { rate, awaits: found.awaits, endsAt });
        } else if (last) {
          this.#sold.set(pair, { ...last, awaits: waitingAmong(market, [from, to]) });
        }
      }
    }
  }
}

const isContradicted = ({ reason }: Pick<Jump, 'reason'>) => reason === 'contradicted';

function believedFrom({ seenAt, asOf, ...jump }: Jump): BelievedRate {
  const freshUntil = new Date(asOf.getTime() + 3 * HOUR);
  return { ...jump, asOf, confirmedAt: seenAt, freshUntil };
}

function soldAt(pair: string, rate: number, now: number): BelievedRate {
  const [base = '', unit = ''] = pair.split('>');
  const at = new Date(now);
  const times = { asOf: at, confirmedAt: at, freshUntil: at };
  return { unit, base, rate: rate.toFixed(18), inverted: false, provider: '', ...times };
}
