/** The same questions to a small table and to a large one, in one run, beside a stated limit. */

export type Questions = Readonly<Record<string, () => Promise<unknown>>>;
/** Milliseconds, by the question's name. */
export type Medians = ReadonlyMap<string, number>;

const ASKED = 40;
const WARM_UP = 10;
/** As long with many as with few, but for what a busy machine does in between. */
const MOST_TIMES = 2;
const NOISE_MS = 3;

/** Each question by itself; `before` prepares every turn of one, outside of its time. */
export async function medians(
  questions: Questions,
  before: Readonly<Record<string, () => Promise<void>>> = {},
): Promise<Medians> {
  const found = new Map<string, number>();
  for (const [name, ask] of Object.entries(questions)) {
    const times: number[] = [];
    for (let turn = 0; turn < ASKED + WARM_UP; turn += 1) {
      await before[name]?.();
      const began = performance.now();
      await ask();
      if (turn >= WARM_UP) times.push(performance.now() - began);
    }
    found.set(name, times.toSorted((one, other) => one - other)[ASKED >> 1] ?? Number.NaN);
  }
  return found;
}

/** Prints a line for each question; sets the exit code to 1 when one has grown with the table. */
export function compareSizes(few: [number, Medians], many: [number, Medians]): void {
  console.log(`medians of ${ASKED}; at most ${MOST_TIMES} times as long and ${NOISE_MS} ms`);
  const width = Math.max(...[...many[1].keys()].map(({ length }) => length));
  for (const [name, spent] of many[1]) {
    const beside = few[1].get(name) ?? Number.NaN;
    const isSlow = spent > beside * MOST_TIMES + NOISE_MS;
    console.log(
      `  ${name.padEnd(width)}  ${few[0]}: ${beside.toFixed(1).padStart(5)} ms   ${many[0]}: ${spent.toFixed(1).padStart(5)} ms   ${(spent / beside).toFixed(1)} times${isSlow ? '  TOO SLOW' : ''}`,
    );
    if (isSlow) process.exitCode = 1;
  }
}
