import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';
import account from '../../../messages/account/en.json' with { type: 'json' };
import ui from '../../../messages/ui/en.json' with { type: 'json' };

standInMessages(`(key) => () => (${JSON.stringify({ ...account, ...ui })})[key]`);
const { troubleWords } = await import('./trouble-words.ts');

describe('troubleWords', () => {
  it('has a message for each code', () => {
    assert.match(String(troubleWords('already_linked')), /belongs to another account/);
    assert.match(String(troubleWords('too_many')), /too many/i);
    assert.match(String(troubleWords('gone')), /no longer available/);
    assert.match(String(troubleWords('not_saved')), /was not saved/);
  });

  it('answers `failed` for an unknown code, and null without a code', () => {
    for (const made of ['<b>', 'toString'])
      assert.equal(troubleWords(made), troubleWords('failed'));
    assert.equal(troubleWords(null), null);
  });
});
