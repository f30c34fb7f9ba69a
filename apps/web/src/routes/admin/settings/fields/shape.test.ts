import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { Words } from '@cambist/contract/wire';
import { groupOf, shapeOf } from './shape.ts';

describe('the shape of a form', () => {
  it('has the control that each kind of value is written with', () => {
    const shape = groupOf({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 60 },
        about: { type: 'string', maxLength: 400 },
        answer: { ...Words(1, 400) },
        link: { type: 'string', maxLength: 500, pattern: '^https://' },
        picture: { anyOf: [{ type: 'string', maxLength: 9, pattern: '^/' }, { type: 'null' }] },
        port: { type: 'integer', minimum: 1, maximum: 9 },
        most: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
        shown: { type: 'boolean' },
        card: { enum: ['small', 'large'] },
        every: { enum: [1, 8] },
        marks: { type: 'array', maxItems: 2, uniqueItems: true, items: { enum: ['a', 'b'] } },
        sorted: { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['a', 'b'] } },
        items: { type: 'array', maxItems: 3, items: { type: 'object', properties: {} } },
      },
    });
    const text = { kind: 'text', required: false, nullable: false, long: false } as const;
    assert.deepEqual(Object.fromEntries(shape.fields.map((field) => [field.key, field.shape])), {
      name: { ...text, maxLength: 60, required: true },
      about: { ...text, maxLength: 400, long: true },
      answer: { ...text, maxLength: 400, long: true, required: true },
      link: { ...text, maxLength: 500, required: true },
      picture: { ...text, maxLength: 9, nullable: true },
      port: { kind: 'whole', nullable: false },
      most: { kind: 'whole', nullable: true },
      shown: { kind: 'switch' },
      card: { kind: 'choice', choices: ['small', 'large'] },
      every: { kind: 'choice', choices: ['1', '8'], whole: true },
      marks: { kind: 'checks', choices: ['a', 'b'] },
      sorted: { kind: 'order', choices: ['a', 'b'] },
      items: { kind: 'list', least: 0, most: 3, item: { kind: 'group', fields: [] } },
    });
  });

  it('is not guessed where there is no control', () => {
    for (const schema of [
      { type: 'number' },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      {},
    ]) {
      assert.throws(() => shapeOf(schema), /no control/);
    }
    assert.throws(() => groupOf({ type: 'string' }), /no schema/);
  });

  it('is known for every group of settings, as it comes over the wire', () => {
    for (const [slug, schema] of Object.entries(settingSchemas)) {
      const { fields } = groupOf(JSON.parse(JSON.stringify(schema)));
      assert.deepEqual(
        fields.map(({ key }) => key),
        Object.keys(schema.properties),
        slug,
      );
    }
  });
});
