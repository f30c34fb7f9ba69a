import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { groupOf } from '#lib/admin/schema-form/shape.ts';
import { standInMessages } from '#lib/stand-in.ts';

standInMessages("(key) => (inputs) => [key, ...Object.values(inputs ?? {})].join(' ')");
const { formWords } = await import('../../form-words.ts');
const { toldChanges } = await import('./told-change.ts');

const shape = groupOf(JSON.parse(JSON.stringify(settingSchemas['home-page'])));
const told = (rows: Parameters<typeof toldChanges>[2]['rows'], path = '') =>
  toldChanges(shape, formWords['home-page'].words, {
    changes: path === '' ? [] : [{ path, before: 'One', after: 'Two' }],
    rows,
  }).map(({ title, parts }) => [title, ...parts.map(({ kind, text }) => `${kind}: ${text}`)]);

const columns = 'footer.columns';
const help = { title: 'Help', links: [{ label: 'Contact', href: '/contact' }] };
const column = (number: number) => `settings_home_footer, settings_home_column_one ${number}`;

describe('a row that was moved', () => {
  it('is named, with the places that it had and has, before what changed in it', () => {
    assert.deepEqual(told([{ path: columns, from: 2, to: 0, row: help }], `${columns}.0.title`), [
      [`settings_history_row_moved ${column(1)}`, 'same: settings_history_row_from_to Help 3 1'],
      [`${column(1)}, settings_home_heading`, 'removed: One', 'added: Two'],
    ]);
  });

  it('is told as moved past others where it has its old place again', () => {
    assert.deepEqual(told([{ path: columns, from: 1, to: 1, row: help }]), [
      [`settings_history_row_moved ${column(2)}`, 'same: settings_history_row_past Help 2'],
    ]);
  });

  it('is called by its old place where no words name it', () => {
    const row = { title: '', links: [] };
    const [[, moved] = []] = told([{ path: columns, from: 2, to: 0, row }]);
    assert.equal(moved, `same: settings_history_row_from_to ${column(3)} 3 1`);
  });
});

describe('a row that came or went', () => {
  const text =
    'settings_home_heading: Help\n' +
    'settings_home_link_list: 1. settings_home_link_label: Contact\n' +
    '   settings_home_link_href: /contact';

  it('is told whole, in the words of its form', () => {
    assert.deepEqual(told([{ path: columns, from: null, to: 1, row: help }]), [
      [`settings_history_row_added ${column(2)}`, `added: ${text}`],
    ]);
    assert.deepEqual(told([{ path: columns, from: 1, to: null, row: help }]), [
      [`settings_history_row_removed ${column(2)}`, `removed: ${text}`],
    ]);
  });

  it('is told as it was kept where its list is in no form any more', () => {
    assert.deepEqual(told([{ path: 'badges', from: 0, to: null, row: { name: 'A' } }]), [
      ['settings_history_row_removed Badges', 'removed: {"name":"A"}'],
    ]);
  });
});
