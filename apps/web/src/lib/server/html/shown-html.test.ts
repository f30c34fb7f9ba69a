import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownHtml } from './shown-html.ts';

describe('the HTML of posts and pages', () => {
  it('has pictures in the width that is needed', () => {
    const shown = shownHtml(
      '<p><img src="/media/bcdfghjk12345678-700.webp" alt="A door" width="700" height="350" /></p>',
    );
    assert.match(
      shown,
      /srcset="\/media\/bcdfghjk12345678-320\.webp 320w, \/media\/bcdfghjk12345678-640\.webp 640w, \/media\/bcdfghjk12345678-700\.webp 700w"/,
    );
    assert.match(shown, /loading="lazy" alt="A door" width="700" height="350"/);
  });

  it('has no picture larger than its own pixels', () => {
    const bare = '<p><img src="/media/bcdfghjk12345678-400.webp" alt="A door" /></p>';
    assert.match(shownHtml(bare), / width="400" alt="A door"/);
  });

  it('is cleaned again, whatever was stored', () => {
    assert.equal(shownHtml('<p onclick="x">a</p><script>alert(1)</script>'), '<p>a</p>');
  });
});
