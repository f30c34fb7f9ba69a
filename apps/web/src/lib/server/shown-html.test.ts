import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownHtml } from './shown-html.ts';

describe('HTML that people wrote, when it is shown', () => {
  it('has pictures in the width that is needed', () => {
    const shown = shownHtml(
      '<p><img src="/media/abcdefgh12345678-700.webp" alt="A door" width="700" height="350" /></p>',
    );
    assert.match(
      shown,
      /srcset="\/media\/abcdefgh12345678-320\.webp 320w, \/media\/abcdefgh12345678-640\.webp 640w, \/media\/abcdefgh12345678-700\.webp 700w"/,
    );
    assert.match(shown, /loading="lazy" alt="A door" width="700" height="350"/);
  });

  it('is cleaned again, whatever was stored', () => {
    assert.equal(shownHtml('<p onclick="x">a</p><script>alert(1)</script>'), '<p>a</p>');
  });
});
