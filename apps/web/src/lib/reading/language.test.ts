import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isForeign } from './language.ts';

it('a text is in another language where its title or its words begin from the other side', () => {
  assert.equal(isForeign('نرخ ارز', '<p>امروز</p>', 'ltr'), true);
  assert.equal(isForeign('Bitcoin چیست', '<p>&nbsp;امروز</p>', 'ltr'), true);
  assert.equal(isForeign('Rates', '<p>today</p>', 'rtl'), true);
  assert.equal(isForeign('Rates', '<p>today نرخ</p>', 'ltr'), false);
  assert.equal(isForeign('نرخ ارز', '<p>امروز</p>', 'rtl'), false);
  assert.equal(isForeign('2026', '<p>1.09</p>', 'rtl'), false);
});
