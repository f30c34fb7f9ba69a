/**
 * Creating and deciding: what each act costs, beside a bare transaction of twenty statements on the same
 * database.
 *
 *   node_modules/.bin/node bench/exchanges.ts
 */
import postgres from 'postgres';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { openDesk, STATEMENTS, ways } from './desk.ts';
import { median, startService } from './service.ts';

const ACTS = 200;
const WARM_UP = 40;

const service = await startService();
const sql = postgres({ ...connectionOptions(service.databaseUrl), max: 1, onnotice: () => {} });
const desk = openDesk(service, sql);

try {
  const admin = await desk.operator();
  await sql`update pairs set evidence = 'reference'`;
  const customers = await Promise.all(
    [1, 2, 3, 4].map((at) => desk.signUp(`bench-${at}@example.com`)),
  );
  for (let at = 0; at < ACTS + WARM_UP; at += 1) {
    if (at === WARM_UP) desk.times.clear();
    await desk.exchange(customers[at % customers.length] ?? {}, admin, ways.completed);
    await desk.bare();
  }
  const least = median(desk.times.get('bare') ?? []);
  console.log(`a bare transaction of ${STATEMENTS} statements: ${least.toFixed(2)} ms`);
  for (const name of ['create', 'submit', 'claim', 'approve', 'complete']) {
    const own = median(desk.times.get(name) ?? []);
    console.log(
      `${name.padEnd(10)} ${own.toFixed(2).padStart(6)} ms, ${(own / least).toFixed(2)} bare transactions`,
    );
  }
} finally {
  await sql.end();
  await service.stop();
}
