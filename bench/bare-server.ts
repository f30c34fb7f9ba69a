/**
 * The limit that an answer is measured against: bare node:http with the same bytes and headers, after one prepared
 * statement where the service needs one.
 */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';

export interface Bare {
  /** Base64. */
  readonly body: string;
  /** Name, value, name, value …. */
  readonly headers: readonly string[];
  readonly status: number;
  readonly lookUp:
    | {
        readonly databaseUrl: string;
        readonly statement: string;
        readonly parameter: string;
      }
    | undefined;
}

const { body, headers, status, lookUp }: Bare = JSON.parse(process.argv[2] ?? '');
const bytes = Buffer.from(body, 'base64');
const sql = lookUp && postgres({ ...connectionOptions(lookUp.databaseUrl), fetch_types: false });

const server = createServer(async (_request, response) => {
  if (sql && lookUp) await sql.unsafe(lookUp.statement, [lookUp.parameter], { prepare: true });
  response.writeHead(status, [...headers]);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
