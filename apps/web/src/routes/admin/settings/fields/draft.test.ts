import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  asGroup,
  asRows,
  bodyOf,
  draftOf,
  groupBody,
  groupDraft,
  newRow,
  nextRow,
  restoredDraft,
  rowText,
  type GroupDraft,
} from './draft.ts';
import { groupOf } from './shape.ts';

const shape = groupOf({
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 60 },
    picture: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    port: { type: 'integer' },
    shown: { type: 'boolean' },
    card: { enum: ['small', 'large'] },
    every: { enum: [1, 8] },
    marks: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } },
    sorted: {
      type: 'array',
      minItems: 3,
      uniqueItems: true,
      items: { enum: ['a', 'b', 'c'] },
    },
    part: { type: 'object', properties: { title: { type: 'string' } } },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          label: { type: 'string' },
          links: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
});

const value = {
  name: 'Desk',
  picture: null,
  port: 587,
  shown: true,
  card: 'large',
  every: 8,
  marks: ['a', 'c'],
  sorted: ['c', 'a', 'b'],
  part: { title: 'Part' },
  rows: [
    { label: 'One', links: ['/a', '/b'] },
    { label: 'Two', links: [] },
  ],
};

describe('the draft of a form', () => {
  it('comes back as the value that it was made of', () => {
    assert.deepEqual(groupBody(shape, groupDraft(shape, value)), value);
  });

  it('leaves out what the schema does not know, and makes up what is missing', () => {
    assert.deepEqual(groupBody(shape, groupDraft(shape, { name: 'Desk', old: 'field' })), {
      name: 'Desk',
      picture: null,
      port: '',
      shown: false,
      card: 'small',
      every: 1,
      marks: [],
      sorted: ['a', 'b', 'c'],
      part: { title: '' },
      rows: [],
    });
  });

  it('takes the spaces around a text away, and makes nothing of an empty one that may be missing', () => {
    const draft = { ...groupDraft(shape, value), name: '  Desk ', picture: '  ' };
    const body = groupBody(shape, draft);
    assert.equal(body['name'], 'Desk');
    assert.equal(body['picture'], null);
  });

  it('hands a number on as it was typed when it is none', () => {
    const whole = { kind: 'whole', nullable: false } as const;
    for (const typed of [' 25 ', '۲۵', '٢٥', '２５']) assert.equal(bodyOf(whole, typed), 25);
    assert.equal(bodyOf({ ...whole, nullable: true }, ' '), null);
    for (const typed of ['2.5', '1e3', '', 'many', '9'.repeat(16)]) {
      assert.equal(bodyOf(whole, typed), typed);
    }
  });

  it('gives each row a number of its own, which stays when it is moved', () => {
    const list = shape.fields.at(-1)?.shape;
    assert.ok(list?.kind === 'list');
    const rows = asRows(draftOf(list, value.rows));
    rows.push(newRow(list));
    assert.equal(new Set(rows.map(({ row }) => row)).size, 3);
    rows.reverse();
    assert.deepEqual(bodyOf(list, rows), [
      { label: '', links: [] },
      { label: 'Two', links: [] },
      { label: 'One', links: ['/a', '/b'] },
    ]);
    assert.deepEqual(
      rows.map((row) => rowText(list, row)),
      ['', 'Two', 'One'],
    );
  });

  it('is no group where it is a list, and the other way round', () => {
    assert.throws(() => asGroup([]), /no group/);
    assert.throws(() => asRows({}), /no list/);
  });
});

describe('a restored draft', () => {
  it('is as it was typed, with rows of this visit', () => {
    const typed: GroupDraft = { ...groupDraft(shape, value), port: 'many' };
    const back = restoredDraft(shape, JSON.parse(JSON.stringify(typed)));
    assert.ok(back);
    assert.deepEqual(groupBody(shape, back), { ...value, port: 'many' });
    const numbers = [typed, back].flatMap((draft) => asRows(draft['rows']).map(({ row }) => row));
    assert.equal(new Set(numbers).size, 4);
  });

  it('is discarded where the schema has changed since', () => {
    for (const copy of [null, 'text', [], { name: 'Desk', rows: 'none' }]) {
      assert.equal(restoredDraft(shape, copy), null);
    }
  });
});

describe('a new row', () => {
  it('begins with the first choice that no other row has', () => {
    const providers = groupOf({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { enum: ['one', 'two', 'three'] }, feed: { enum: ['x', 'y'] } },
          },
        },
      },
    }).fields[0]?.shape;
    assert.ok(providers?.kind === 'list');
    const others = [newRow(providers, { name: 'one' }), newRow(providers, { name: 'three' })];
    assert.deepEqual(nextRow(providers, others).value, { name: 'two', feed: 'x' });
    assert.deepEqual(nextRow(providers, []).value, { name: 'one', feed: 'x' });
  });
});
