import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isPlainText } from './visible-text.ts';

it('a text with invisible characters is not plain', () => {
  for (const name of [
    'Alex\u202emolraM',
    'Alex\u2067Marlow',
    'Al\u200bex',
    'Alex\u200c Marlow',
    '\u200b',
    '\u200c\u200d',
    '\u3164',
    '\u2800',
    '\ufe0f',
    'Al\u200dex',
    'Al\u200cex',
    'علی\u200c\u200cرضا',
    'علی\u200c',
    'ക്\u200d\u200d',
    'Alex\ufe0f',
    'Agent 0\ufe0f07',
    '葛\u{e0100}\u{e0101}',
    'Alex\u{e0100}',
    'Alex\u180b',
  ]) {
    assert.equal(isPlainText(name), false, JSON.stringify(name));
  }
});

it('a text in any script is plain', () => {
  for (const name of [
    'علی\u200cرضا نوری',
    '葛\u{e0100}城',
    'क्\u200dषमा',
    'র\u200d্যাম',
    'അവന്\u200d',
    'കണ്\u200d നായര്\u200d',
    'ශ්\u200dරී',
    'Ada ❤\ufe0f',
    'Zoë O’Neill',
    '李 🦊',
  ]) {
    assert.equal(isPlainText(name), true, JSON.stringify(name));
  }
});
