/**
 * pg-boss on connections of its own. It expects `node-postgres`, which differs in two points: a script with a
 * transaction needs one connection, and JSON parameters are text that must not be encoded again.
 */
import type { Db as BossDatabase } from 'pg-boss';
import { MINUTE } from '#kernel/clock.ts';
import { openConnections } from '#platform/db/connections.ts';
import type { Sql } from '#platform/db/database.ts';

type Parameter = string | number | boolean | Date | null | string[] | number[];

export interface OpenBossDatabase {
  readonly db: BossDatabase;
  close(): Promise<void>;
}

/** Its statements are short. */
const CONNECTIONS = 3;
const SCRIPT_TIMEOUT_MS = MINUTE;

export function openBossDatabase(sql: Sql): OpenBossDatabase {
  const connections = openConnections(sql, {
    size: Math.min(CONNECTIONS, sql.options.max),
    setAside: 0,
  });
  return {
    db: {
      async executeSql(text, values = []) {
        const connection = await connections.reserve();
        const isScript = /^\s*begin\b/i.test(text);
        // What workers ask again and again: planning it costs four times as much as running it.
        const options = /^\s*with\b/i.test(text) ? { prepare: true, simple: false } : {};
        try {
          if (isScript) connection.answerWithin(SCRIPT_TIMEOUT_MS);
          const query = isScript
            ? connection.unsafe(text)
            : connection.unsafe(asText(text), values.map(plain), options);
          return { rows: flatten(await query) };
        } catch (error) {
          // The script's own COMMIT was not reached.
          if (isScript) await connection.unsafe('rollback').catch(() => undefined);
          throw error;
        } finally {
          connection.release();
        }
      },
    },
    close: () => connections.end({ timeout: 5 }),
  };
}

/** A parameter declared as json would be encoded again. */
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

/** The result of a script has one list of rows for each statement. */
function flatten(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray) ? result.flat() : [...result];
}
