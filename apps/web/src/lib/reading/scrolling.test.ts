import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withScrolling } from './scrolling.ts';

describe('wide content', () => {
  it('has a frame that scrolls and that the keyboard reaches', () => {
    const shown = withScrolling('<p>a</p><table><tr><td>1</td></tr></table><pre>x</pre>', 'Table');
    assert.equal(
      shown,
      '<p>a</p><div class="scroll-table" role="group" aria-label="Table" tabindex="0"><table><tr><td>1</td></tr></table></div><pre tabindex="0">x</pre>',
    );
  });

  it('is framed in the direction of the table', () => {
    const shown = withScrolling('<table dir="rtl"><tr><td>א</td></tr></table>', 'Table');
    assert.match(shown, /^<div dir="rtl" class="scroll-table" [^>]*><table><tr>/);
  });
});
