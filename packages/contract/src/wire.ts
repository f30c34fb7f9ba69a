/**
 * Shapes shared by all endpoints: identifiers, times, amounts, envelopes and the error body. Times are ISO 8601 in
 * UTC; amounts and rates are decimal strings in major units, never JSON numbers.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { visibleCharacter } from './visible-text.ts';

export const Id = Type.String({ format: 'uuid', description: 'a UUID' });
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
export const Email = Type.String({ format: 'email', maxLength: 254 });
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$';
export const Slug = Type.String({ pattern: slugPattern, maxLength: 80 });
/** A non-negative decimal in major units: `"500.00"`. At most 30 + 18 digits. */
export const Amount = Type.String({
  pattern: '^[0-9]{1,30}(\\.[0-9]{1,18})?$',
  maxLength: 50,
  description: 'a decimal string in major units',
});
/** A positive or zero decimal with at most 18 decimals: `"0.921640"`. */
export const Rate = Type.String({
  pattern: '^[0-9]{1,30}(\\.[0-9]{1,18})?$',
  maxLength: 50,
  description: 'a decimal string',
});
export const Percent = Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,6})?$', maxLength: 12 });
/** A decimal that may be negative: a margin against the desk, a change. */
export const SignedDecimal = Type.String({
  pattern: '^-?[0-9]{1,30}(\\.[0-9]{1,18})?$',
  maxLength: 52,
});
/** The largest `integer` of the database. */
export const maxInteger = 2_147_483_647;
/** The version of a record that the caller saw; 409 if it has changed since. */
export const Version = Type.Integer({ minimum: 1, maximum: maxInteger });
/** A day in UTC. The years are bounded as in the database. */
export const Day = Type.String({ format: 'date', pattern: '^[12]', description: 'YYYY-MM-DD' });

/** Text with at least one visible character. */
export function Words(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: visibleCharacter });
}

/** An object that refuses unknown fields. */
export function Strict<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false }) as TObject<P>;
}

/** A change that was asked for and waits: see `PendingChange`. */
export const Waiting = Type.Object({
  id: Id,
  /** When it takes effect by itself; null: only by a second person. */
  effective_at: Type.Union([Time, Type.Null()]),
  /** When it ends without effect; null: it takes effect by itself. */
  lapses_at: Type.Union([Time, Type.Null()]),
});

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** One resource: `{ "data": … }`. */
export function One<S extends TSchema>(schema: S) {
  return Type.Object({ data: schema });
}

/** A short list without pages: `{ "data": [ … ] }`. */
export function Many<S extends TSchema>(schema: S) {
  return Type.Object({ data: Type.Array(schema) });
}

const nullableString = nullable(Type.String());
const nullableInteger = nullable(Type.Integer());

const pageLinks = {
  first: nullableString,
  last: nullableString,
  prev: nullableString,
  next: nullableString,
};
const pageMeta = {
  current_page: Type.Integer(),
  from: nullableInteger,
  last_page: Type.Integer(),
  path: Type.String(),
  per_page: Type.Integer(),
  to: nullableInteger,
  total: Type.Integer(),
};

/** A numbered page: `?page=` and `?per_page=`. */
export function Page<S extends TSchema>(schema: S) {
  return Type.Object({
    data: Type.Array(schema),
    links: Type.Object(pageLinks),
    meta: Type.Object(pageMeta),
  });
}

/** A numbered page that can be asked for by `?cursor=` too; its `total` is counted to 10,000. */
export function PageOrCursor<S extends TSchema>(schema: S) {
  return Type.Object({
    data: Type.Array(schema),
    links: Type.Object(pageLinks),
    meta: Type.Object({ ...pageMeta, next_cursor: nullableString }),
  });
}

/** An unbounded list: `?cursor=`. */
export function Cursor<S extends TSchema>(schema: S) {
  return Type.Object({
    data: Type.Array(schema),
    meta: Type.Object({ next_cursor: nullableString, per_page: Type.Integer() }),
  });
}

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

export const cursorQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

/** The effect of a change of a pair, to be confirmed. Rates are the customer's. */
export const RateChange = Type.Object({
  /** `moves`: by more than the settings allow. `loses`: the desk pays out more than it is worth. */
  reasons: Type.Array(Type.Enum(['moves', 'loses'] as const)),
  /** The current one; null if the pair has none. */
  from: Type.Union([Rate, Type.Null()]),
  /** The new one, which a confirmation names. */
  to: Rate,
  /** From `from` to `to`, two decimals; null without `from`. */
  percent: Type.Union([SignedDecimal, Type.Null()]),
  /** The tier that moves furthest, in the send currency; null: below the first one. */
  tier: Type.Union([Amount, Type.Null()]),
  /** The margin of the largest amount, in percent, if the desk loses; else null. */
  kept_percent: Type.Union([SignedDecimal, Type.Null()]),
  /** The rate it is compared with: the market's, else the pair's mid rate. */
  against: Type.Enum(['market', 'mid'] as const),
});
export type RateChange = Static<typeof RateChange>;

/** Who saved the record meanwhile, and the version to send to overwrite it. */
export const Conflict = Type.Object({
  version: Type.Integer(),
  saved_by: nullableString,
  saved_at: Type.Union([Time, Type.Null()]),
});
export type Conflict = Static<typeof Conflict>;

/** All errors: a message for people, a code for programs, fields at 422. */
export const ErrorBody = Type.Object({
  message: Type.String(),
  code: Type.String(),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  /** At 409 `rate_unconfirmed`. */
  rate_change: Type.Optional(RateChange),
  /** At 409 `version_conflict`, if the record has an author. */
  conflict: Type.Optional(Conflict),
});
export type ErrorBody = Static<typeof ErrorBody>;
