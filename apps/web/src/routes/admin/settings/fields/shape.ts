/** The control for each value of a JSON Schema, read from the schema that the API answers. Pure. */
import { visibleCharacter } from '@cambist/contract/visible-text';

export type Shape =
  | {
      readonly kind: 'text';
      readonly maxLength: number | null;
      readonly required: boolean;
      readonly nullable: boolean;
      /** Longer than a line. */
      readonly long: boolean;
    }
  | { readonly kind: 'whole'; readonly nullable: boolean }
  | { readonly kind: 'switch' }
  | {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      /** The schema has them as integers. */
      readonly whole?: true;
    }
  /** Any of these, in the schema's order. */
  | { readonly kind: 'checks'; readonly choices: readonly string[] }
  /** All of these, in an order of the admin's. */
  | { readonly kind: 'order'; readonly choices: readonly string[] }
  | Group
  | List;

export interface Group {
  readonly kind: 'group';
  readonly fields: readonly NamedShape[];
}

export interface List {
  readonly kind: 'list';
  readonly item: Shape;
  readonly least: number;
  readonly most: number | null;
}

export interface NamedShape {
  readonly key: string;
  readonly shape: Shape;
}

export type Checks = Extract<Shape, { kind: 'checks' }>;
/** A value without values inside. */
export type Value = Extract<Shape, { kind: 'text' | 'whole' | 'switch' | 'choice' }>;

/** From this length on a text gets more than a line. */
const LONG = 200;

/** @throws {Error} for a schema without a control */
export function shapeOf(schema: unknown): Shape {
  const { type, enum: choices, anyOf } = record(schema);
  if (Array.isArray(choices)) {
    const whole = choices.length > 0 && choices.every(Number.isInteger);
    return { kind: 'choice', choices: choices.map(String), ...(whole && { whole }) };
  }
  if (Array.isArray(anyOf)) return nullable(anyOf);
  if (type === 'string') return textOf(record(schema), false);
  if (type === 'boolean') return { kind: 'switch' };
  if (type === 'integer') return { kind: 'whole', nullable: false };
  if (type === 'object') return groupOf(schema);
  if (type === 'array') return listOf(record(schema));
  throw new Error(`There is no control for ${JSON.stringify(schema)}.`);
}

/** @throws {Error} when it is not an object's schema */
export function groupOf(schema: unknown): Group {
  const properties = Object.entries(record(record(schema)['properties']));
  const fields = properties.map(([key, inner]) => ({ key, shape: shapeOf(inner) }));
  return { kind: 'group', fields };
}

function listOf({ items, minItems, maxItems, uniqueItems }: Readonly<Record<string, unknown>>) {
  const item = shapeOf(items);
  if (uniqueItems === true && item.kind === 'choice' && !item.whole) {
    const { choices } = item;
    return { kind: minItems === choices.length ? 'order' : 'checks', choices } as const;
  }
  return {
    kind: 'list',
    item,
    least: numberOf(minItems) ?? 0,
    most: numberOf(maxItems),
  } as const;
}

function nullable(anyOf: readonly unknown[]): Shape {
  const [value, ...others] = anyOf.map(record).filter(({ type }) => type !== 'null');
  if (value?.['type'] === 'string' && others.length === 0) return textOf(value, true);
  if (value?.['type'] === 'integer' && others.length === 0)
    return { kind: 'whole', nullable: true };
  throw new Error(`There is no control for ${JSON.stringify(anyOf)}.`);
}

function textOf(schema: Readonly<Record<string, unknown>>, isNullable: boolean): Shape {
  const { pattern, minLength } = schema;
  const maxLength = numberOf(schema['maxLength']);
  const mayBeEmpty =
    (numberOf(minLength) ?? 0) === 0 &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(''));
  const isFree = pattern === undefined || pattern === visibleCharacter;
  return {
    kind: 'text',
    maxLength,
    required: !isNullable && !mayBeEmpty,
    nullable: isNullable,
    long: isFree && (maxLength === null || maxLength >= LONG),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error(`${JSON.stringify(value)} is no schema.`);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
