/**
 * Whether the time of an answer tells if an account exists: sign-in with an
 * unknown address, a wrong password and a disabled account, and the letter for
 * a new password. The kinds alternate; the limit is what medians of one and
 * the same kind differ by, found by drawing them anew from its own times.
 */
import { connect } from '../apps/api/src/platform/db/database.ts';
import { median, openSession, startService } from './service.ts';

const ASKED = 200;
const WARM_UP = 20;
const DRAWS = 2000;
/** Of all redrawn pairs of medians, this share lies within the noise. */
const CONFIDENCE = 0.99;
const PASSWORD = 'a password for the bench';

const service = await startService();
const sql = connect(service.databaseUrl, 1);

const guest = await openSession(service);

async function ask(path: string, body: object, expected: number): Promise<number> {
  const before = performance.now();
  const answer = await fetch(service.origin + path, {
    method: 'POST',
    headers: guest,
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  const spent = performance.now() - before;
  if (answer.status !== expected) throw new Error(`${path} answered ${answer.status}.`);
  return spent;
}

async function signUp(email: string): Promise<string> {
  const body = { name: 'Bench', email, password: PASSWORD, terms_accepted: true };
  await ask('/api/auth/signup', body, 201);
  return email;
}

const drawn = (values: readonly number[]) =>
  values.map(() => values[Math.floor(Math.random() * values.length)] ?? 0);

/** How far two medians of the same times lie apart, at most, in `CONFIDENCE` of all draws; as a ratio. */
function noiseOf(times: readonly number[]): number {
  const ratios = Array.from({ length: DRAWS }, () => {
    const [one, other] = [median(drawn(times)), median(drawn(times))];
    return Math.max(one, other) / Math.min(one, other);
  });
  return ratios.toSorted((one, other) => one - other)[Math.floor(DRAWS * CONFIDENCE)] ?? 1;
}

async function compare(
  title: string,
  kinds: Readonly<Record<string, (turn: number) => Promise<number>>>,
): Promise<void> {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let turn = 0; turn < ASKED + WARM_UP; turn += 1) {
    for (const [kind, once] of Object.entries(kinds)) {
      const spent = await once(turn);
      if (turn >= WARM_UP) times.get(kind)?.push(spent);
    }
  }
  const [first = [], ...others] = [...times.values()];
  const noise = noiseOf(first);
  console.log(`${title}: medians of ${ASKED}; the same kind differs by up to ${noise.toFixed(3)}`);
  for (const [kind, of] of [...times].slice(1)) {
    const ratio = median(of) / median(first);
    const verdict = Math.max(ratio, 1 / ratio) <= noise ? 'within' : 'BEYOND';
    console.log(
      `  ${kind.padEnd(18)} ${median(of).toFixed(2).padStart(7)} ms  ${ratio.toFixed(3)} of ${[...times.keys()][0]}  (${verdict} the noise)`,
    );
  }
  if (others.length === 0) throw new Error('Nothing to compare.');
}

try {
  const known = await signUp('known@example.com');
  const disabled = await signUp('disabled@example.com');
  await sql`update users set disabled_at = now() where email = ${disabled}`;
  const people: string[] = [];
  for (let index = 0; index < ASKED + WARM_UP; index += 1) {
    people.push(await signUp(`person-${index}@example.com`));
  }

  const signIn = (email: string, password: string) =>
    ask('/api/auth/signin', { email, password }, 422);
  await compare('Sign-in', {
    'a wrong password': () => signIn(known, 'not this one'),
    'an unknown address': (turn) => signIn(`nobody-${turn}@example.com`, 'not this one'),
    'a disabled account': () => signIn(disabled, PASSWORD),
  });

  const forgot = (email: string) => ask('/api/auth/forgot-password', { email }, 202);
  await compare('A new password', {
    'a known address': (turn) => forgot(people[turn] ?? ''),
    'an unknown address': (turn) => forgot(`nobody-${turn}@example.com`),
    'a disabled account': () => forgot(disabled),
  });
} finally {
  await sql.end();
  await service.stop();
}
