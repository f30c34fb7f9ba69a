/**
 * pg-boss on our own pool. It expects `node-postgres`, which differs in two
 * points: a script that opens a transaction needs a connection of its own, and
 * JSON parameters arrive as text that must not be encoded once more.
 */
import type { Db as BossDatabase } from 'pg-boss';
import { openConnections, type Connections } from './connections.ts';
import type { Sql } from './database.ts';

type Parameter = string | number | boolean | Date | null | string[] | number[];

export interface OpenBossDatabase {
  readonly db: BossDatabase;
  close(): Promise<void>;
}

export function openBossDatabase(sql: Sql): OpenBossDatabase {
  const forScripts = openConnections(sql, 1);
  return {
    db: {
      async executeSql(text, values = []) {
        if (/^\s*begin\b/i.test(text)) return { rows: await runScript(forScripts, text) };
        return { rows: flatten(await sql.unsafe(asText(text), values.map(plain))) };
      },
    },
    close: () => forScripts.end({ timeout: 5 }),
  };
}

async function runScript({ reserve }: Connections, script: string): Promise<unknown[]> {
  const connection = await reserve();
  try {
    return flatten(await connection.unsafe(script));
  } catch (error) {
    // The script's own COMMIT was not reached: nothing may follow inside its transaction.
    await connection.unsafe('rollback').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/** A parameter declared as text is taken as it is; declared as json it would be encoded again. */
function asText(statement: string): string {
  return statement.replace(/(\$\d+)::(jsonb?)\b/g, '$1::text::$2');
}

function plain(value: unknown): Parameter {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' && !(value instanceof Date) && !Array.isArray(value)) {
    return JSON.stringify(value);
  }
  return value as Parameter;
}

/** A script's result is one list of rows for each statement. */
function flatten(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray) ? result.flat() : [...result];
}
