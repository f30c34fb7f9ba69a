/**
 * Run by the crash test and killed by it: starts the server on the given folder,
 * writes rows from several connections and prints each number once its commit
 * was acknowledged.
 */
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { readPostmaster, startPostgres } from './server.ts';

const [dataDir = '', cluster = ''] = process.argv.slice(2);
const server = await startPostgres({ dataDir });
const sql = postgres({ ...connectionOptions(server.ownerUrl), max: 4, onnotice: () => {} });
await sql`create table if not exists acknowledged (number int primary key)`;
process.stdout.write(`server ${readPostmaster(cluster)?.pid}\n`);

const [first] = await sql<
  { next: number }[]
>`select coalesce(max(number), 0) + 1 as next from acknowledged`;
let next = first?.next ?? 1;
await Promise.all(
  [1, 2, 3, 4].map(async () => {
    for (;;) {
      const number = next;
      next += 1;
      await sql.begin(async (tx) => tx`insert into acknowledged values (${number})`);
      process.stdout.write(`${number}\n`);
    }
  }),
);
