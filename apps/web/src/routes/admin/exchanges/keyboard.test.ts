import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandFor, deskKeys, type KeyPlace, type KeyPress } from './keyboard.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
  ...more,
});
const free: KeyPlace = { inField: false, inDialog: false, off: false };

describe('commandFor', () => {
  it('knows every key of the table, in either case', () => {
    for (const [command, key] of Object.entries(deskKeys)) {
      assert.equal(commandFor(press(key), free), command);
      assert.equal(commandFor(press(key.toLowerCase()), free), command);
    }
  });

  it('gives every command its own key', () => {
    const keys = Object.values(deskKeys);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('leaves keys alone in fields, in dialogs and when they are switched off', () => {
    assert.equal(commandFor(press('a'), { ...free, inField: true }), null);
    assert.equal(commandFor(press('a'), { ...free, inDialog: true }), null);
    assert.equal(commandFor(press('a'), { ...free, off: true }), null);
  });

  it('does not take the shortcuts of browser and system', () => {
    assert.equal(commandFor(press('a', { ctrlKey: true }), free), null);
    assert.equal(
      commandFor(press('k', { ctrlKey: true }), free),
      null,
      'the search listens itself',
    );
    assert.equal(commandFor(press('r', { metaKey: true }), free), null);
    assert.equal(commandFor(press('p', { altKey: true }), free), null);
  });

  it('repeats moves while a key is held, but runs an action once', () => {
    assert.equal(commandFor(press('j', { repeat: true }), free), 'next');
    assert.equal(commandFor(press('a', { repeat: true }), free), null);
    assert.equal(commandFor(press('c', { repeat: true }), free), null);
  });

  it('goes by the place of the key where the keyboard writes another script', () => {
    assert.equal(commandFor(press('о', { code: 'KeyJ' }), free), 'next');
    assert.equal(commandFor(press('ф', { code: 'KeyA' }), free), 'approve');
  });

  it('goes by the letter where the keyboard is only laid out differently', () => {
    assert.equal(commandFor(press('a', { code: 'KeyQ' }), free), 'approve');
    assert.equal(commandFor(press('x', { code: 'KeyA' }), free), null);
  });

  it('waits while an input method composes', () => {
    assert.equal(commandFor(press('a', { isComposing: true }), free), null);
  });
});
