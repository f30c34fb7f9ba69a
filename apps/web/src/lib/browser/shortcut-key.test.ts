import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isSearchKey } from './shortcut-key.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false };
const press = (key: string, with_: Partial<typeof none>, code = 'KeyK') => ({
  ...none,
  key,
  code,
  ...with_,
});

it('the search shortcut is Ctrl or Command and K, by its place on keyboards with other letters', () => {
  assert.ok(isSearchKey(press('k', { ctrlKey: true })));
  assert.ok(isSearchKey(press('K', { metaKey: true })));
  assert.ok(isSearchKey(press('л', { ctrlKey: true })));
  assert.ok(
    isSearchKey(press('k', { ctrlKey: true }, 'KeyV')),
    'where the layout has it elsewhere',
  );
  for (const other of [{}, { ctrlKey: true, altKey: true }, { ctrlKey: true, repeat: true }])
    assert.ok(!isSearchKey(press('k', other)));
  assert.ok(!isSearchKey(press('v', { ctrlKey: true })));
});
