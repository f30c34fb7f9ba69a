import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { groupOf } from '#lib/admin/schema-form/shape.ts';
import { inFormOrder } from './change-order.ts';

describe('the changes of settings', () => {
  it('stand in the order of the form, rows of lists by their numbers', () => {
    const shape = groupOf(JSON.parse(JSON.stringify(settingSchemas['home-page'])));
    const paths = [
      'order',
      'hero.title',
      'hero.text',
      'faq.enabled',
      'faq.items.2.question',
      'faq.items.2.answer',
      'faq.items.10.question',
      'footer.columns.0',
      'footer.columns.0.title',
      'footer.columns.0.links.1.label',
      'of_old.field',
    ];
    const mixed = [9, 6, 4, 5, 1, 8, 0, 7, 3, 2, 10].map((index) => ({ path: paths[index] ?? '' }));
    assert.deepEqual(
      inFormOrder(shape, mixed).map(({ path }) => path),
      paths,
    );
  });
});
