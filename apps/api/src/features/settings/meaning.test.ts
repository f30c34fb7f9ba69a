import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settingDefaults } from './defaults.ts';
import { lineFaults } from './meaning.ts';

const faulty = (change: object) =>
  Object.keys(lineFaults('seo', { ...settingDefaults.seo, ...change }));

it('a title template has one place for a title', () => {
  for (const title_template of ['', 'Cambist', '%s | %s'])
    assert.deepEqual(faulty({ title_template }), ['title_template'], title_template);
  assert.deepEqual(faulty({ title_template: '100 % %s' }), []);
});
