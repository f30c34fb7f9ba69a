/**
 * What a form shows for a JSON Schema: one control for each kind of value that
 * the service's schemas are made of. Read from the schema as it comes over the
 * wire, so a form needs no code of its own for a new field. Pure.
 */
import { visibleCharacter } from '@cambist/contract/visible-text';

/** One value and the control that it is written with. */
export type Shape =
  | {
      readonly kind: 'text';
      readonly maxLength: number | null;
      readonly required: boolean;
      readonly nullable: boolean;
      /** Longer than a line. */
      readonly long: boolean;
    }
  | {
      readonly kind: 'whole';
      readonly minimum: number | null;
      readonly maximum: number | null;
      readonly nullable: boolean;
    }
  | { readonly kind: 'switch' }
  | {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      /** The service has them as whole numbers. */
      readonly whole?: true;
    }
  /** Some of these, in their own order. */
  | { readonly kind: 'ticks'; readonly choices: readonly string[] }
  /** All of these, in an order that people choose. */
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

export type Ticks = Extract<Shape, { kind: 'ticks' }>;
export type Order = Extract<Shape, { kind: 'order' }>;

/** What holds no other values. */
export type Value = Exclude<Shape, Ticks | Order | Group | List>;

/** From this length on a text without a form of its own is more than a line. */
const LONG = 200;

/** @throws {Error} for a schema that no control exists for. */
export function shapeOf(schema: unknown): Shape {
  const { type, enum: choices, anyOf } = record(schema);
  if (Array.isArray(choices)) {
    const whole = choices.length > 0 && choices.every(Number.isInteger);
    return { kind: 'choice', choices: choices.map(String), ...(whole && { whole }) };
  }
  if (Array.isArray(anyOf)) return nullable(anyOf);
  if (type === 'string') return textOf(record(schema), false);
  if (type === 'boolean') return { kind: 'switch' };
  if (type === 'integer') return wholeOf(record(schema), false);
  if (type === 'object') return groupOf(schema);
  if (type === 'array') {
    const { items, minItems, maxItems, uniqueItems } = record(schema);
    const each = shapeOf(items);
    if (uniqueItems === true && each.kind === 'choice' && !each.whole) {
      const { choices: all } = each;
      return { kind: minItems === all.length ? 'order' : 'ticks', choices: all };
    }
    return {
      kind: 'list',
      item: each,
      least: numberOf(minItems) ?? 0,
      most: numberOf(maxItems),
    };
  }
  throw new Error(`There is no control for ${JSON.stringify(schema)}.`);
}

/** @throws {Error} when it is not an object's schema. */
export function groupOf(schema: unknown): Group {
  const { properties } = record(schema);
  return {
    kind: 'group',
    fields: Object.entries(record(properties)).map(([key, inner]) => ({
      key,
      shape: shapeOf(inner),
    })),
  };
}

/** A text or a number that may be missing altogether; nothing else of the kind is written in settings. */
function nullable(anyOf: readonly unknown[]): Shape {
  const parts = anyOf.map(record);
  const [value, ...others] = parts.filter(({ type }) => type !== 'null');
  if (value?.['type'] === 'string' && others.length === 0) return textOf(value, true);
  if (value?.['type'] === 'integer' && others.length === 0) return wholeOf(value, true);
  throw new Error(`There is no control for ${JSON.stringify(anyOf)}.`);
}

function wholeOf(schema: Readonly<Record<string, unknown>>, isNullable: boolean): Shape {
  return {
    kind: 'whole',
    minimum: numberOf(schema['minimum']),
    maximum: numberOf(schema['maximum']),
    nullable: isNullable,
  };
}

function textOf(schema: Readonly<Record<string, unknown>>, isNullable: boolean): Shape {
  const { pattern, minLength } = schema;
  const maxLength = numberOf(schema['maxLength']);
  const mayBeEmpty =
    (numberOf(minLength) ?? 0) === 0 &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(''));
  return {
    kind: 'text',
    maxLength,
    required: !isNullable && !mayBeEmpty,
    nullable: isNullable,
    long:
      (pattern === undefined || pattern === visibleCharacter) &&
      (maxLength === null || maxLength >= LONG),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error(`${JSON.stringify(value)} is no schema.`);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
