/**
 * How columns reach the code. `numeric(48,0)` is a `bigint` of minor units;
 * other numerics are decimal strings; `int8` is a number, since only counts and
 * identities use it.
 */
import type { ColumnType } from 'kysely';

export type Stamp = ColumnType<Date, Date | string | undefined, Date | string>;
export type Minor = bigint;
export type Decimal = string;
/** JSON columns are written as values; the driver serialises them. */
export type Json<T> = ColumnType<T, T, T>;
