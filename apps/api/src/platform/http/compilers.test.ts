import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Strict } from '@cambist/contract/wire';
import { Type, type TSchema } from 'typebox';
import { compileValidator, lazyValidator } from './compilers.ts';
import { refusalOfErrors } from './invalid-fields.ts';

const Row = Strict({ id: Type.Integer(), label: Type.String({ maxLength: 3 }) });

/** The keywords and places of what is found wrong. */
function errorsIn(schema: TSchema, value: unknown): string[] {
  const validate = lazyValidator(() => compileValidator(schema));
  const fits = validate(value);
  const errors = validate.errors ?? [];
  assert.equal(fits, errors.length === 0);
  return errors.map(({ keyword, instancePath }) => `${keyword} ${instancePath}`);
}

describe('a validator', () => {
  const rows = (count: number, row: object) => Array.from({ length: count }, () => row);

  it('reports all errors, and none for the next valid value', () => {
    const validate = lazyValidator(() => compileValidator(Row));
    assert.equal(validate({ id: 'a', label: 'long', more: 1 }), false);
    assert.equal(validate.errors?.length, 3);
    assert.equal(validate({ id: 1, label: 'a' }), true);
    assert.equal(validate.errors, null);
  });

  it('reports 20 errors at most: of items, missing fields and unknown fields', () => {
    assert.equal(errorsIn(Type.Array(Row), rows(19, { id: 1, label: 'long' })).length, 19);
    assert.equal(errorsIn(Type.Array(Row), rows(90, { id: 1, label: 'long' })).length, 20);
    assert.equal(errorsIn(Type.Array(Row), rows(90, {})).length, 20);
    const unknown = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`field${at}`, at]));
    assert.equal(errorsIn(Row, unknown).length, 20);
  });

  it('does not validate the items of a list that is too long', () => {
    const schema = Strict({ rows: Type.Array(Row, { maxItems: 3 }) });
    assert.deepEqual(errorsIn(schema, { rows: rows(4, {}) }), ['maxItems /rows']);
    assert.equal(errorsIn(schema, { rows: rows(3, {}) }).length, 6);
  });

  it('accepts the second branch of a union', () => {
    const Either = Type.Union([Type.Array(Row, { maxItems: 3 }), Type.Null(), Type.String()]);
    assert.deepEqual(errorsIn(Either, null), []);
    assert.deepEqual(errorsIn(Either, 'a'), []);
    assert.deepEqual(errorsIn(Either, rows(4, {})), ['maxItems ']);
  });

  it('names the field where it ends within a union', () => {
    const schema = Strict({ rows: Type.Union([Type.Array(Row, { maxItems: 3 }), Type.Null()]) });
    const validate = lazyValidator(() => compileValidator(schema));
    const value = { rows: rows(4, {}) };
    validate(value);
    const { errors } = refusalOfErrors(validate.errors ?? [], value).detail;
    assert.deepEqual(
      { ...errors },
      {
        rows: ['The rows must not have more than 3 items.'],
      },
    );
  });
});
