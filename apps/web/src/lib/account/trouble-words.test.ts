import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';
import words from '../../../messages/account/en.json' with { type: 'json' };

// Each message is looked up where it is written.
standInMessages(`(key) => () => (${JSON.stringify(words)})[key]`);
const { troubleWords } = await import('./trouble-words.ts');

describe('the trouble that a page was reached with', () => {
  it('has words for links to files too: too often, and gone', () => {
    assert.match(String(troubleWords('already_linked')), /belongs to another account/);
    assert.match(String(troubleWords('too_many')), /too often|many/i);
    assert.match(String(troubleWords('gone')), /no longer here/);
    assert.match(String(troubleWords('not_saved')), /was not saved/);
  });

  it('is a plain failure where it is not known, and nothing where there is none', () => {
    for (const made of ['<b>', 'toString'])
      assert.equal(troubleWords(made), troubleWords('failed'));
    assert.equal(troubleWords(null), null);
  });
});
