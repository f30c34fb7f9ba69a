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

  it('has a static picture in place of an animation for reduced motion', () => {
    const animated = '<img src="/media/abcdfghjkmnpqrst-320.webp" alt="" />';
    assert.match(
      shownHtml(animated),
      /^<picture><source media="\(prefers-reduced-motion: reduce\)" type="image\/avif" srcset="\/media\/abcdfghjkmnpqrst-320\.avif 320w" sizes="[^"]+"><img src="\/media\/abcdfghjkmnpqrst-320\.webp" [^<]*><\/picture>$/,
    );
    assert.ok(!shownHtml(animated.replace('/a', '/b')).includes('<picture>'));
  });

  it('is cleaned again, whatever was stored', () => {
    assert.equal(shownHtml('<p onclick="x">a</p><script>alert(1)</script>'), '<p>a</p>');
  });
});
